// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/kv_cache.h"
#include "attention/multi_head.h"
#include "nn/activation.h"
#include "nn/linear.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <optional>
#include <span>

namespace attn {

// x + W2 f(W1 x), then normalised.
struct FeedForward
{
    Linear first;
    Linear second;
    LayerNorm norm;
    Activation activation;

    void apply(Engine& engine, Tensor& rows) const;
};

// An attention block with its residual connection and normalisation.
struct AttentionBlockLayer
{
    MultiHeadAttention attention;
    LayerNorm norm;

    void apply(AttentionRun& run, Tensor& rows, std::span<const AttentionGroup> groups) const;
};

// One layer of the encoder, or with cross attention of the decoder.
struct TransformerLayer
{
    AttentionBlockLayer self;
    std::optional<AttentionBlockLayer> cross;
    FeedForward feedForward;
};

} // namespace attn
