// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

bool isWhitespace(char32_t c); // property White_Space

// The span made longer until it holds whole characters: tokens may stand for a part of one.
ByteSpan wholeCharacters(std::string_view text, ByteSpan span);

// Whether white space ends a word between two neighbouring tokens, by the bytes of the text that each stands for. A
// blank, spelled " " or "▁", does not count: vocabularies mark it themselves.
bool partsWords(std::string_view text, ByteSpan before, ByteSpan after);

struct JoinedText
{
    std::string text; // UTF-8
    std::vector<ByteSpan> spans; // one per part
};

// The text of bytes that come in parts. A byte that is no character becomes U+FFFD.
JoinedText joinedText(const std::vector<std::string>& parts);

// Labels tokens that hold only part of a character, by their spans: three tokens that spell "日" become "日[1/3]",
// "日[2/3]" and "日[3/3]". Labels of other tokens stay. All vectors but segments are as long as ids.
void labelParts(Encoding& encoding);

// Control characters as their pictures (U+2400 ff.), so that a label never breaks a line.
std::string visibleText(std::string_view text);

// A token as it is shown: its label or piece without the mark of a word's start, control characters as pictures.
std::string tokenLabel(const Encoding& encoding, std::size_t token);

// The tokens first .. first+count-1 with the part of the text that they stand for.
Encoding partOf(const Encoding& encoding, std::size_t first, std::size_t count);

} // namespace attn
