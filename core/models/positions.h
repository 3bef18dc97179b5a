// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/embedding.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Positions that are added to the embeddings. In both sinusoidal kinds the sines of all frequencies fill the first half
// and the cosines the second.
enum class AddedPositions : std::uint8_t {
    None,
    Sinusoidal, // frequencies 10000^(-2i/width), as in Vaswani et al. 2017, section 3.5, and Marian
    SinusoidalSpread, // 10000^(-i/(width/2 - 1)): the last frequency is 1/10000, as in tensor2tensor and fairseq
    Learned,
};

// [positions.size(), width].
Tensor sinusoidalPositions(std::span<const int> positions, int width, AddedPositions kind);

// What a stack adds to its embeddings.
struct PositionTable
{
    AddedPositions kind = AddedPositions::None;
    int width = 0;
    std::optional<Embedding> learned;
    int offset = 0; // row of the text's first position
    std::optional<TokenId> padding; // a token that does not count and has the row of its own number

    // The row of each token that follows `first` others.
    std::vector<int> numbers(std::span<const TokenId> ids, int first) const;
    // [numbers.size(), width].
    Tensor rows(std::span<const int> numbers) const;
};

} // namespace attn
