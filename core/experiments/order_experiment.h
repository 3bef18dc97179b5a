// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"
#include "trace/attention_map.h"

#include <array>
#include <string>
#include <vector>

namespace attn {

// Outputs of self-attention for words in their order and in another, the latter put back into the original order.
struct OrderSide
{
    Numbers weights; // [words, words]
    Numbers weightsBack;
    Numbers outputs; // [words, width]
    Numbers outputsBack;
    std::vector<double> gaps; // permutationGaps of the outputs

    double largestGap() const; // of those that are numbers
    int incomparable() const; // gaps that are none, since an output is none
};

struct OrderResult
{
    std::vector<std::string> words; // or tokens, in the original order
    std::vector<int> order;
    bool causal = false; // a word sees only those before it
    std::array<OrderSide, 2> sides; // without and with positions
    double rounding = 1e-3; // gaps below it are the arithmetic's

    // Where each word stands in the other order.
    std::vector<int> places() const;
};

// The small random layer of SmallSelfAttention on words.
OrderResult smallOrderResult(const std::vector<std::string>& words, const std::vector<int>& order);

// Whether a model reads its words in parallel, by self-attention, so that only positions can tell their order.
bool readsInParallel(const ModelInfo& info);

// A model's runs on both orders, without and with positions. Only the source is read.
class OrderExperiment
{
public:
    static constexpr int runs = 4;

    // An order of the words of the question's text, as blankSeparated() finds them.
    OrderExperiment(Question question, std::vector<int> words);

    // A run. Throws Error{Unsupported} after the last for a model that does not tell what is compared.
    bool advance(const Workbench& bench);

    int layers() const;
    bool causal() const { return m_info.kind == ModelKind::DecoderOnly; }
    // Attention of a layer, mean of its heads, and the hidden states after it.
    OrderResult result(int layer) const;

private:
    const Trace& original() const { return m_traces[0][0]; }

    Question m_question;
    std::vector<int> m_words;
    int m_next = 0;
    ModelInfo m_info;
    std::vector<int> m_order; // of tokens
    std::array<std::array<Trace, 2>, 2> m_traces; // [positions][shuffled]
};

} // namespace attn
