// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/unicode.h"

#include "base/error.h"
#include "base/utf8.h"

#include <unicode/uchar.h>

#include <fmt/format.h>

namespace attn {

namespace {

// True when a byte at `start` was no character: the character U+FFFD itself takes three bytes.
bool wasMalformed(char32_t codePoint, std::size_t start, std::size_t end)
{
    return codePoint == replacementCharacter && end - start == 1;
}

} // namespace

std::size_t validUtf8Prefix(std::string_view text)
{
    std::size_t position = 0;
    while (position < text.size()) {
        const std::size_t start = position;
        const char32_t codePoint = nextCodePoint(text, position);
        if (wasMalformed(codePoint, start, position))
            return start;
    }
    return text.size();
}

void requireUtf8(std::string_view text, const std::string& where)
{
    const std::size_t valid = validUtf8Prefix(text);
    if (valid != text.size())
        throw Error(ErrorKind::Input, where, fmt::format("is not UTF-8 (byte {})", valid), "save it as UTF-8");
}

std::vector<ByteSpan> splitAtWhitespace(std::string_view text)
{
    std::vector<ByteSpan> spans;
    bool inWord = false;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t start = position;
        if (u_isUWhiteSpace(static_cast<UChar32>(nextCodePoint(text, position))) != 0) {
            inWord = false;
        } else if (inWord) {
            spans.back().end = position;
        } else {
            spans.push_back({start, position});
            inWord = true;
        }
    }
    return spans;
}

} // namespace attn
