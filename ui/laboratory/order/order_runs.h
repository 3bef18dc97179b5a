// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/matrix_figure.h"
#include "figures/parts/panel_figure.h"
#include "run/job_runner.h"

#include <QString>
#include <QStringList>

#include <array>
#include <functional>
#include <vector>

namespace attn::ui {

// What self-attention makes of words in their order and in another, the latter put back into the original order.
struct OrderSide
{
    AttentionMatrix weights; // [words, words]
    AttentionMatrix weightsBack;
    AttentionMatrix outputs; // [words, width]
    AttentionMatrix outputsBack;
    std::vector<double> gaps; // permutationGaps of the outputs

    double largestGap() const;
};

struct OrderResult
{
    QStringList words; // or tokens, in the original order
    std::vector<int> order;
    bool causal = false; // a word sees only those before it
    std::array<OrderSide, 2> sides; // without and with positions
    double rounding = 1e-3; // gaps below it are the arithmetic's
};

// The small random layer of SmallSelfAttention on words.
OrderResult smallOrderResult(const std::vector<std::string>& words, const std::vector<int>& order);

// A model's runs on both orders, without and with positions.
struct OrderRuns
{
    ModelInfo info;
    QString name;
    std::vector<int> order; // of tokens
    std::array<std::array<Trace, 2>, 2> traces; // [positions][shuffled]

    int layers() const;
    bool causal() const { return info.kind == ModelKind::DecoderOnly; }
    // Attention of a layer, mean of its heads, and the hidden states after it.
    OrderResult result(int layer) const;
};

// Whether a model reads its words in parallel, by self-attention, so that only positions can tell their order.
bool readsInParallel(const ModelInfo& info);

// One of the four runs after the other; the number of words in `words` must be that of the text's. On the inference
// thread. Throws as attn::run does.
void runOrder(OrderRuns& runs, int index, const Question& question, const std::vector<int>& words, JobTools& tools);
constexpr int orderRunCount = 4;

enum class OrderPicture : std::uint8_t { Weights, Outputs };

// Original, shuffled and put back, and what is left between them per word.
std::array<MatrixContent, 3> orderContents(const OrderResult& result, bool positions, OrderPicture picture);
FigureLayout orderFigure(const FigureSpec& spec, const std::array<MatrixContent, 3>& contents);

} // namespace attn::ui
