// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/part_labels.h"

#include "base/utf8.h"
#include "text/words.h"

#include <fmt/format.h>

namespace attn {

namespace {

// What a token spells, without a blank in front.
ByteSpan lettersOf(const Encoding& encoding, std::size_t token)
{
    ByteSpan span = encoding.spans[token];
    if (span.begin + 1 < span.end && encoding.text[span.begin] == ' ')
        ++span.begin;
    return span;
}

// The end of the tokens from `first` on that spell one character among them, none of them all of it; `first` where
// there is no such character.
std::size_t endOfParts(const Encoding& encoding, std::size_t first, ByteSpan& character)
{
    const ByteSpan letters = lettersOf(encoding, first);
    if (letters.begin >= letters.end)
        return first;
    character = {letters.begin, letters.begin};
    nextCodePoint(encoding.text, character.end);
    std::size_t position = letters.begin;
    for (std::size_t token = first; token < encoding.size() && position < character.end; ++token) {
        const ByteSpan part = token == first ? letters : encoding.spans[token];
        if (encoding.special[token] || part.begin != position || part.end <= position || part.end > character.end)
            return first;
        position = part.end;
        if (position == character.end)
            return token == first ? first : token + 1;
    }
    return first;
}

} // namespace

void labelParts(Encoding& encoding)
{
    for (std::size_t first = 0; first < encoding.size();) {
        ByteSpan character;
        const std::size_t end = encoding.special[first] ? first : endOfParts(encoding, first, character);
        for (std::size_t token = first; token < end; ++token) {
            const bool startsWord = encoding.labels[token].starts_with(wordStartMark);
            encoding.labels[token] = fmt::format("{}{}[{}/{}]", startsWord ? wordStartMark : "",
                                                 encoding.text.substr(character.begin, character.end - character.begin),
                                                 token - first + 1, end - first);
        }
        first = end > first ? end : first + 1;
    }
}

} // namespace attn
