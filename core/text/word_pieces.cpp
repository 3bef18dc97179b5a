// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/word_pieces.h"

#include "base/utf8.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>

namespace attn {

Joint jointOf(std::string_view word, bool begins)
{
    constexpr std::string_view closing = ".,;:!?)]}%'-";
    if (begins)
        return Joint::Beginning;
    return !word.empty() && closing.find(word.front()) != std::string_view::npos ? Joint::Direct : Joint::Blank;
}

// Pieces of a word between those that stand there without it.
WordPieces wordPieces(const Tokenizer& tokenizer, std::string_view word, Joint joint)
{
    const std::string before = joint == Joint::Beginning ? "" : "a";
    const Encoding without = tokenizer.encode(before);
    const Encoding with = tokenizer.encode(before + (joint == Joint::Blank ? " " : "") + std::string(word));
    const std::ptrdiff_t shared = std::min(std::ssize(without.ids), std::ssize(with.ids));
    std::ptrdiff_t head = 0;
    while (head < shared && without.ids.begin()[head] == with.ids.begin()[head])
        ++head;
    std::ptrdiff_t tail = 0;
    while (head + tail < shared && without.ids.rbegin()[tail] == with.ids.rbegin()[tail])
        ++tail;
    return {{with.ids.begin() + head, with.ids.end() - tail}, {with.tokens.begin() + head, with.tokens.end() - tail}};
}

std::string plainWords(std::string_view text)
{
    constexpr char32_t ascii = 0x80;
    std::string result;
    bool blank = false; // stands before the next letter
    for (std::size_t at = 0; at < text.size();) {
        const char32_t letter = nextCodePoint(text, at);
        if (letter < ascii && std::ispunct(static_cast<int>(letter)) != 0)
            continue;
        if (letter < ascii && std::isspace(static_cast<int>(letter)) != 0) {
            blank = !result.empty();
            continue;
        }
        if (std::exchange(blank, false))
            result += ' ';
        appendUtf8(result, static_cast<char32_t>(u_tolower(static_cast<UChar32>(letter))));
    }
    return result;
}

} // namespace attn
