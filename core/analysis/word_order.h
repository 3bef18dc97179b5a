// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "tensor/tensor.h"
#include "trace/attention_map.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A self-attention layer of one head with random weights over random word vectors, the smallest model in which word
// order can be looked at. The same word has the same vector everywhere.
struct SmallSelfAttention
{
    int width = 32;
    std::uint64_t seed = 1;
    bool positions = true; // sinusoids are added to the word vectors

    // [words, width]
    Tensor apply(std::span<const std::string> words) const;
    // [words, words]: softmax(Q K^T / sqrt(width))
    Numbers weights(std::span<const std::string> words) const;
};

// 0 .. count-1 in another order, the same for a seed.
std::vector<int> shuffledOrder(int count, std::uint64_t seed);

// Where the words of a text lie: what stands between blanks.
std::vector<ByteSpan> blankSeparated(std::string_view text);

// The order of tokens when the words of their text, as blankSeparated() finds them, are put into another order: tokens
// of a word stay together, and those that stand for no text stay where they are. Without spans every token is a word.
// `words` must be an order of all words.
std::vector<int> tokenOrder(const Encoding& encoding, std::span<const int> words);

// Rows, and with `columnsToo` columns, of what was computed in another order, where they were before.
Numbers putBack(const Numbers& shuffled, std::span<const int> order, bool columnsToo);

// Distance between each output of the words in their order and the output of the same word when they are shuffled:
// 0 where the output has merely moved, relative to the mean length of the two; NaN where one of them is NaN. Row
// i of `shuffled` belongs to row order[i] of `original`; the result is in the original order.
std::vector<double> permutationGaps(NumberView original, NumberView shuffled, std::span<const int> order);

} // namespace attn
