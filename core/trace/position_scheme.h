// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace attn {

// How a model tells positions apart.
enum class PositionScheme : std::uint8_t {
    None,
    Recurrent, // it reads one token after the other
    Sinusoidal, // added to the embeddings
    Learned, // likewise
    Rotary, // queries and keys are turned
    Relative, // a learned number for each distance is added to the scores
};

struct Positions
{
    PositionScheme scheme = PositionScheme::None;
    std::string detail; // "llama3 scaling by 8", "32 buckets"; empty: nothing more to say
};

// "rotary, llama3 scaling by 8".
inline std::string describe(const Positions& positions)
{
    constexpr const char* names[] = {"none", "none (recurrent)", "sinusoidal", "learned", "rotary", "relative"};
    const std::string name = names[static_cast<std::size_t>(positions.scheme)];
    return positions.detail.empty() ? name : name + ", " + positions.detail;
}

} // namespace attn
