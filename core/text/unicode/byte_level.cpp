// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/byte_level.h"

namespace attn {

AlignedText toByteLevel(const AlignedText& text)
{
    AlignedText result;
    for (std::size_t i = 0; i < text.size(); ++i)
        result.append(byteLevelCharacter(static_cast<unsigned char>(text.text()[i])), text.source({i, i + 1}));
    return result;
}

} // namespace attn
