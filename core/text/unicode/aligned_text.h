// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/progress.h"
#include "base/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Throws Error{Resource} for a text, or all the parts of one, of more bytes than limit(Limit::Normalized), or than a
// GrowthBudget leaves.
void requireTextRoom(std::uint64_t bytes);

// Bytes that the steps of a thread make of a text beyond its own, all of them together, as long as such an object
// lives; one inside another changes nothing. A text that grows is work for every step behind, even if little of it is
// left. Of a short text they may make only so many times as much, whatever the limit: twenty steps that each double it
// need no more than a line of tokenizer.json.
class GrowthBudget
{
public:
    explicit GrowthBudget(std::uint64_t bytes); // of the text
    ~GrowthBudget();
    GrowthBudget(const GrowthBudget&) = delete;
    GrowthBudget& operator=(const GrowthBudget&) = delete;

    // Throws Error{Resource} when these are more than a few times limit(Limit::Normalized), or too many for the text.
    static void spend(std::uint64_t bytes);

private:
    bool m_isOutermost;
};

// A text under normalization whose every byte knows the bytes of the original text that it stands for. Their spans
// begin and end in ascending order; inserted text has an empty span where it was inserted.
class AlignedText
{
public:
    AlignedText() = default;
    // A stretch of the original that begins at its byte `offset`. It and append throw Error{Resource} as
    // requireTextRoom does.
    AlignedText(std::string_view text, std::size_t offset);

    const std::string& text() const { return m_text; }
    std::size_t size() const { return m_text.size(); }
    bool empty() const { return m_text.empty(); }

    // Bytes of the original that `range` stands for.
    ByteSpan source(ByteSpan range) const;
    // Where the byte at `position`, or the end of the text, stands in the original; 0 in an empty text.
    std::size_t sourceBegin(std::size_t position) const;
    std::size_t growth() const; // bytes beyond those of the original
    AlignedText slice(ByteSpan range) const;
    AlignedText withPrefix(std::string_view prefix) const;
    // `content` in the place of each of these matches, which ascend.
    AlignedText replaced(const std::vector<ByteSpan>& matches, std::string_view content) const;
    AlignedText inByteLevel() const; // in GPT-2's spelling of its bytes

    // Adds text that stands as a whole for `source`.
    void append(std::string_view text, ByteSpan source);
    void append(char32_t character, ByteSpan source);
    // Adds part of another text with its alignment.
    void append(const AlignedText& other, ByteSpan range);
    // Lets the last byte stand for what was dropped behind it, too.
    void extendLast(std::size_t sourceEnd);

private:
    struct Source
    {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    std::string m_text;
    std::vector<Source> m_sources; // one per byte of m_text
};

// A character of a text, for loops over characters.
struct Character
{
    char32_t codePoint = 0;
    ByteSpan range;
};

// Calls visit(Character) for every character of a UTF-8 text. Throws Error{Cancelled} by ThreadStop.
template<class Visit>
void forEachCharacter(std::string_view text, Visit visit)
{
    constexpr std::size_t charactersPerLook = 4096;
    std::size_t visited = 0;
    for (std::size_t position = 0; position < text.size();) {
        if (++visited % charactersPerLook == 0)
            ThreadStop::check();
        const std::size_t begin = position;
        const char32_t codePoint = nextCodePoint(text, position);
        visit(Character{codePoint, {begin, position}});
    }
}

} // namespace attn
