// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/site.h"

#include <optional>
#include <string>
#include <vector>

namespace attn {

// [rows, columns], row-major.
struct ProbedMatrix
{
    int rows = 0;
    int columns = 0;
    std::vector<float> values;
};

// One row of one head's attention with every number on the way: asked for before a run, filled by it. What a kind of
// attention does not have stays empty.
struct AttentionProbe
{
    Site site;
    int head = 0;
    int row = 0; // position of the query, counted as in AttentionBlock
    int hypothesis = 0;

    bool found = false; // the run came by
    std::string score; // "scaled_dot", "dot", "general", "additive", "concat", "low_rank"
    std::vector<float> input; // what the query is made from
    std::string queryFormula; // where the query is put together from parts: how
    std::vector<float> query; // [head width], before rotary positions
    std::vector<float> rotatedQuery; // with rotary positions: what is scored
    ProbedMatrix keys; // [columns, head width] as scored
    ProbedMatrix annotations; // what the keys are made from, where that is not the values: [columns, width]
    ProbedMatrix values; // [columns, value width]
    std::vector<float> products; // query . key, unscaled
    float scale = 1;
    std::vector<float> positionBias; // relative positions: added to the scaled products
    std::vector<float> projectedQuery; // additive: W q
    ProbedMatrix projectedKeys; // additive: U h + b
    ProbedMatrix tanhLayer; // additive: tanh(W q + U h + b), [columns, size]
    std::vector<float> v; // additive: what the tanh layer is multiplied with
    std::vector<float> undiscounted; // intra-temporal attention: the scores before those of earlier steps divide them
    std::optional<float> center; // local attention: p, the key that the window lies around
    int window = 0; // local attention: keys to each side
    std::vector<float> scores; // what enters the softmax, -inf where masked
    std::vector<float> softWeights; // the softmax, where something follows it; else empty
    bool gaussian = false; // local-p: multiplied by exp(-(j - p)^2 / (2 (window/2)^2))
    bool hard = false; // one key was chosen and has all the weight
    std::vector<float> weights;
    std::vector<float> context; // weighted sum of the values
    std::vector<float> heads; // the contexts of all heads, side by side
    bool attentional = false; // `heads` is context and state, `output` the attentional state tanh(W_c [c; s])
    std::vector<float> output; // after the output projection

    bool wants(Site which, int hypothesisOfRows, int firstRow, int rows) const
    {
        return which == site && hypothesisOfRows == hypothesis && row >= firstRow && row < firstRow + rows;
    }
};

} // namespace attn
