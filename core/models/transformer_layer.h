// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/multi_head.h"
#include "nn/activation.h"
#include "nn/linear.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace attn {

// Where a block normalises: its input (pre-norm) or the sum of its input and its output (post-norm).
enum class NormPlace : std::uint8_t { Before, After };

// W2 f(W1 x), or with a gate W2 (f(Wg x) * W1 x), with its residual connection and normalisation.
struct FeedForward
{
    Linear first;
    Linear second;
    std::optional<Linear> gate;
    Activation activation;
    Norm norm;
    NormPlace place;

    void apply(Engine& engine, Tensor& rows) const;
};

// An attention block with its residual connection and normalisation.
struct AttentionBlockLayer
{
    MultiHeadAttention attention;
    Norm norm;
    NormPlace place;

    // Makes the groups of what the attention reads.
    using Grouping = std::function<std::vector<AttentionGroup>(NumberView input)>;
    void apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const;
};

// One layer of the encoder, or of the decoder, there with or without cross attention.
struct TransformerLayer
{
    AttentionBlockLayer self;
    std::optional<AttentionBlockLayer> cross;
    FeedForward feedForward;
};

} // namespace attn
