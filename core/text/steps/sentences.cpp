// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/steps.h"

#include <algorithm>
#include <array>

namespace attn {

namespace {

using namespace std::string_view_literals;

bool isSpace(char character)
{
    return " \t\r\n\v\f"sv.find(character) != std::string_view::npos;
}

// Bytes of one of `marks` that `text` begins with; 0 for none.
template<std::size_t Count>
std::size_t leading(std::string_view text, const std::array<std::string_view, Count>& marks)
{
    const auto found = std::ranges::find_if(marks, [&](std::string_view mark) { return text.starts_with(mark); });
    return found == marks.end() ? 0 : found->size();
}

// First byte behind the sentence that begins at `begin`.
std::size_t endOfSentence(std::string_view text, std::size_t begin)
{
    constexpr std::array marks{"."sv, "?"sv, "!"sv, "\u2026"sv};
    constexpr std::array closing{R"(")"sv, "'"sv, ")"sv, "]"sv, "\u201d"sv, "\u2019"sv, "\u00bb"sv};
    for (std::size_t at = begin; at < text.size();) {
        if (text[at] == '\n')
            return at;
        std::size_t end = at;
        while (const std::size_t bytes = leading(text.substr(end), marks))
            end += bytes;
        if (end == at) {
            ++at;
            continue;
        }
        while (const std::size_t bytes = leading(text.substr(end), closing))
            end += bytes;
        if (end == text.size() || isSpace(text[end]))
            return end;
        at = end;
    }
    return text.size();
}

} // namespace

std::vector<ByteSpan> sentencesOf(std::string_view text)
{
    std::vector<ByteSpan> found;
    std::size_t begin = 0;
    while (begin < text.size()) {
        if (isSpace(text[begin])) {
            ++begin;
            continue;
        }
        const std::size_t end = endOfSentence(text, begin);
        std::size_t last = end;
        while (last > begin && isSpace(text[last - 1]))
            --last;
        found.push_back({begin, last});
        begin = end;
    }
    return found;
}

} // namespace attn
