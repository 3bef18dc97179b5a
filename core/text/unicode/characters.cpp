// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/characters.h"

#include <unicode/uchar.h>

#include <cstdint>

namespace attn {

namespace {

bool isOf(char32_t c, std::uint32_t categories)
{
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & categories) != 0;
}

} // namespace

bool isPunctuation(char32_t c)
{
    const bool asciiSymbol =
        (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
    return asciiSymbol || isOf(c, U_GC_P_MASK);
}

bool isNumeric(char32_t c)
{
    return isOf(c, U_GC_N_MASK);
}

bool isMark(char32_t c)
{
    return isOf(c, U_GC_M_MASK);
}

bool isNonspacingMark(char32_t c)
{
    return isOf(c, U_GC_MN_MASK);
}

bool isControl(char32_t c)
{
    return isOf(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

bool isWordCharacter(char32_t c)
{
    return u_isUAlphabetic(static_cast<UChar32>(c)) != 0 || isOf(c, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)
        || c == 0x200C || c == 0x200D;
}

bool isChineseCharacter(char32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

} // namespace attn
