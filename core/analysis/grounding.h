// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "tensor/number_view.h"

#include <span>
#include <vector>

namespace attn {

// Agreement of a word's weights with the places of the objects that it names, or means of that over words.
struct Grounding
{
    double inside = 0; // share of the weight on places that is inside the objects' boxes
    double uniform = 0; // the same of equal weights on all places
    double hit = 0; // 1: the centre of the place with the largest weight is in a box
    double special = 0; // share of the weight that is on tokens without a place
};

// weights: of one row, as many as there are tokens. boxes: of the objects, in the same fractions as the tokens' places.
Grounding groundingOf(std::span<const float> weights, const Encoding& source, std::span<const PictureBox> boxes);

// Share of a place that the union of some boxes covers.
double coveredShare(const PictureBox& place, std::span<const PictureBox> boxes);

// The word of each token of a text, counted from 0 by what blanks separate: that which holds the token's first byte
// that is no blank, of a token of blanks the one that follows; noWord where there is none, and for special tokens.
std::vector<int> blankWords(const Encoding& tokens);

} // namespace attn
