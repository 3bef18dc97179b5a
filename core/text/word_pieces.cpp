// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/word_pieces.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace attn {

Joint jointOf(std::string_view word, bool begins)
{
    constexpr std::string_view closing = ".,;:!?)]}%'-";
    if (begins)
        return Joint::Beginning;
    return !word.empty() && closing.find(word.front()) != std::string_view::npos ? Joint::Direct : Joint::Blank;
}

// In between of what stands there without the word.
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

} // namespace attn
