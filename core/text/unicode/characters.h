// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/token_text.h" // isWhitespace

// Unicode properties of a character as tokenizers ask for them.
namespace attn {

bool isPunctuation(char32_t c); // categories P*, and every ASCII symbol
bool isNumeric(char32_t c); // categories N*
bool isMark(char32_t c); // categories M*
bool isNonspacingMark(char32_t c); // category Mn
bool isControl(char32_t c); // categories Cc, Cf and Co; not Cn, what is unassigned
bool isWordCharacter(char32_t c); // regular expressions' \w
bool isChineseCharacter(char32_t c); // CJK ideographs, as BERT counts them

} // namespace attn
