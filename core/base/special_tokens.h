// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

namespace attn {

// Whether a token stands for no text: end, start, padding. Masks and unknown words stand for words.
template<std::integral Position>
bool isSpecial(const Encoding& encoding, Position token)
{
    return std::cmp_less(token, encoding.special.size()) && encoding.special[static_cast<std::size_t>(token)];
}

// Whether a piece is a mask to be filled, by the spelling that vocabularies share.
inline bool isMaskPiece(std::string_view piece)
{
    return piece == "[MASK]" || piece == "<mask>";
}

} // namespace attn
