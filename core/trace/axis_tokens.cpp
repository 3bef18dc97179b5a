// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/axis_tokens.h"

#include "base/index.h"

#include <fmt/format.h>

namespace attn {

namespace {

constexpr std::size_t longestName = 32; // bytes

// Text of the tokens first .. last as far as it is short; empty when the encoding has no text.
std::string beginning(const Encoding& source, std::size_t first, std::size_t last)
{
    if (source.spans.size() != source.size())
        return {};
    const std::size_t begin = source.spans[first].begin;
    std::size_t end = begin;
    bool whole = true;
    for (std::size_t token = first; token <= last; ++token) {
        const ByteSpan span = source.spans[token];
        if (span.end <= span.begin)
            continue;
        whole = span.end - begin <= longestName;
        if (!whole)
            break;
        end = span.end;
    }
    if (begin >= end || end > source.text.size())
        return {};
    const std::string text = source.text.substr(begin, end - begin);
    return whole ? text : text + "\u2026";
}

} // namespace

std::vector<std::string> sentenceNames(const AttentionMap& map, const Encoding& source)
{
    std::vector<std::string> names;
    for (int row = 0; row < map.weights.rows; ++row) {
        const auto weights = map.weights.row(row);
        std::size_t first = 0;
        while (first < weights.size() && weights[first] <= 0)
            ++first;
        std::size_t last = first;
        for (std::size_t column = first; column < weights.size(); ++column)
            last = weights[column] > 0 ? column : last;
        const bool known = last < source.size();
        const std::string text = known ? beginning(source, first, last) : std::string();
        names.push_back(text.empty() ? fmt::format("sentence {}", row) : fmt::format("{}: {}", row, text));
    }
    return names;
}

Encoding axisTokens(AttentionAxis axis, int count, const std::vector<std::string>& sentences)
{
    Encoding result;
    result.ids.assign(count, -1);
    for (Index i = 0; i < count; ++i) {
        if (axis == AttentionAxis::Text)
            result.tokens.emplace_back("text");
        else if (axis == AttentionAxis::Hops)
            result.tokens.push_back(fmt::format("hop {}", i));
        else
            result.tokens.push_back(indexSize(sentences) == count ? sentences[i] : fmt::format("sentence {}", i));
    }
    result.labels = result.tokens;
    return result;
}

} // namespace attn
