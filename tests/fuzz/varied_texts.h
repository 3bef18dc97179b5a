// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/utf8.h"
#include "fuzz_input.h"
#include "text/tokenizer.h"

#include <string>

namespace attn::fuzz {

// Calls visit with texts to be cut by a tokenizer that was read from the same input: a fixed one, the end of the input,
// and tokens that the end picks by number, which spell(number) gives.
template<class Spell, class Visit>
void forEachText(const std::uint8_t* data, std::size_t size, Spell spell, Visit visit)
{
    constexpr std::size_t longest = 64; // bytes
    visit(std::string("The house\u00a0is \ufb01ne\u2026 \u00bd O\u00f9 [MASK] \u65e5 </s>."));
    const std::string_view end = text(data, size).substr(size - std::min(size, longest));
    std::string sound;
    for (std::size_t position = 0; position < end.size();)
        appendUtf8(sound, nextCodePoint(end, position));
    visit(sound);
    std::string spelled;
    for (const char byte : end)
        spelled += spell(static_cast<unsigned char>(byte));
    visit(spelled);
}

// Cuts and joins such texts.
inline void cutTexts(const Tokenizer& tokenizer, const std::uint8_t* data, std::size_t size)
{
    const auto spell = [&](std::size_t number) {
        const TokenId id = static_cast<TokenId>(number);
        return tokenizer.describe({&id, 1}).text;
    };
    forEachText(data, size, spell, [&](const std::string& text) {
        const Encoding encoding = tokenizer.encode(text);
        for (const ByteSpan& span : encoding.spans)
            require(span.begin <= span.end && span.end <= encoding.text.size());
        (void)tokenizer.describe(encoding.ids);
    });
}

} // namespace attn::fuzz
