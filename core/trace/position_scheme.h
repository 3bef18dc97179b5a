// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/utf8.h"

#include <cstdint>
#include <string>

namespace attn {

// Means by which a model tells positions apart.
enum class PositionScheme : std::uint8_t {
    None,
    Recurrent, // it reads one token after the other
    Sinusoidal, // added to the embeddings
    Learned, // likewise
    Rotary, // queries and keys are turned
    Relative, // a learned number for each distance is added to the scores
    Alibi, // likewise, a number that falls with the distance
};

struct Positions
{
    PositionScheme scheme = PositionScheme::None;
    std::string scaling = {}; // Rotary: how it is stretched, as config.json names it ("llama3"); empty: it is not
    double factor = 1; // by which it is
    int buckets = 0; // Relative
};

// "rotary, llama3 scaling by 8".
std::string positionsText(const Positions& positions, Translate translate = inEnglish);

} // namespace attn
