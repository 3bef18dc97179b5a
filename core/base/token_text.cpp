// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/token_text.h"

#include "base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// White space that vocabularies have no mark for.
bool isBreak(char32_t c)
{
    return c != U' ' && isWhitespace(c);
}

struct Edges
{
    char32_t first = 0;
    char32_t last = 0;
    bool isBlank = true; // all of it is white space or marks of it
};

Edges edgesOf(std::string_view text)
{
    constexpr char32_t mark = 0x2581;
    Edges edges;
    for (std::size_t position = 0; position < text.size();) {
        const bool isFirst = position == 0;
        edges.last = nextCodePoint(text, position);
        edges.isBlank = edges.isBlank && (edges.last == mark || isWhitespace(edges.last));
        if (isFirst)
            edges.first = edges.last;
    }
    return edges;
}

// The bytes that a token stands for, without a blank in front.
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

template<class Value>
std::vector<Value> someOf(const std::vector<Value>& values, std::size_t first, std::size_t count)
{
    const std::size_t begin = std::min(first, values.size());
    const std::size_t end = begin + std::min(count, values.size() - begin);
    return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

} // namespace

bool isWhitespace(char32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

ByteSpan wholeCharacters(std::string_view text, ByteSpan span)
{
    const auto continues = [text](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    while (span.begin > 0 && continues(span.begin))
        --span.begin;
    while (continues(span.end))
        ++span.end;
    return span;
}

bool partsWords(std::string_view text, ByteSpan before, ByteSpan after)
{
    if (before == after) // many tokens may be made of one stretch
        return false;
    const auto edges = [text](ByteSpan span) {
        span = wholeCharacters(text, span);
        return edgesOf(text.substr(span.begin, span.end - span.begin));
    };
    const Edges left = edges(before);
    return isBreak(edges(after).first) ? !left.isBlank : isBreak(left.last);
}

JoinedText joinedText(const std::vector<std::string>& parts)
{
    std::string bytes;
    for (const std::string& part : parts)
        bytes += part;
    JoinedText result;
    std::vector<std::size_t> places; // where each byte went
    for (std::size_t position = 0; position < bytes.size();) {
        const std::size_t begin = position;
        const char32_t character = nextCodePoint(bytes, position);
        for (std::size_t i = begin; i < position; ++i)
            places.push_back(result.text.size() + i - begin);
        appendUtf8(result.text, character);
    }
    places.push_back(result.text.size());
    std::size_t begin = 0;
    for (const std::string& part : parts) {
        result.spans.push_back({places[begin], places[begin + part.size()]});
        begin += part.size();
    }
    return result;
}

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

std::string visibleText(std::string_view text)
{
    constexpr char32_t pictures = 0x2400;
    constexpr char32_t deletePicture = 0x2421;
    std::string label;
    for (std::size_t position = 0; position < text.size();) {
        const char32_t c = nextCodePoint(text, position);
        if (c < 0x20)
            appendUtf8(label, pictures + c);
        else if (c == 0x7F)
            appendUtf8(label, deletePicture);
        else if ((c > 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029)
            label += fmt::format("<U+{:04X}>", static_cast<unsigned>(c));
        else
            appendUtf8(label, c);
    }
    return label;
}

std::string tokenLabel(const Encoding& encoding, std::size_t token)
{
    const auto& labels = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    if (token >= labels.size())
        return unknownPiece(encoding.ids[token]);
    std::string_view label = labels[token];
    if (label.starts_with(wordStartMark) && label.size() > wordStartMark.size())
        label.remove_prefix(wordStartMark.size());
    return visibleText(label);
}

Encoding partOf(const Encoding& encoding, std::size_t first, std::size_t count)
{
    Encoding part{.ids = someOf(encoding.ids, first, count),
                  .tokens = someOf(encoding.tokens, first, count),
                  .spans = someOf(encoding.spans, first, count),
                  .words = someOf(encoding.words, first, count),
                  .special = someOf(encoding.special, first, count),
                  .segments = someOf(encoding.segments, first, count),
                  .text = encoding.text,
                  .labels = someOf(encoding.labels, first, count),
                  .boxes = someOf(encoding.boxes, first, count),
                  .times = someOf(encoding.times, first, count)};
    if (part.spans.empty())
        return part;
    const ByteSpan kept =
        wholeCharacters(encoding.text,
                        {first == 0 ? 0 : part.spans.front().begin,
                         first + count >= encoding.size() ? encoding.text.size() : part.spans.back().end});
    part.text = encoding.text.substr(kept.begin, kept.end - kept.begin);
    for (ByteSpan& span : part.spans)
        span = {span.begin - kept.begin, span.end - kept.begin};
    return part;
}

} // namespace attn
