// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/activation.h"

#include <cstdint>

namespace attn {

enum class PositionScheme : std::uint8_t { Sinusoidal };

// One stack of layers.
struct TransformerStack
{
    int layers = 0;
    int heads = 0;
    int feedForwardWidth = 0;
};

// A Transformer encoder-decoder as data: what a family reads from its configuration. Each block's output is added to
// its input and then normalised (post-norm), all projections have biases.
struct TransformerConfig
{
    TransformerStack encoder;
    TransformerStack decoder;
    int width = 0;
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    int maximumPositions = 0;
    PositionScheme positions = PositionScheme::Sinusoidal;
    Activation activation = Activation::Relu;
    float embeddingScale = 1;
    float normEpsilon = 1e-5F;
};

} // namespace attn
