// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"

#include "analysis/words.h"

#include <fmt/format.h>

namespace attn {

namespace {

// For each group of an axis its word number, -1 for special tokens.
std::vector<int> wordNumbers(const std::vector<AxisGroup>& groups, const Encoding& encoding)
{
    std::vector<int> numbers;
    int next = 0;
    for (const AxisGroup& group : groups) {
        const auto token = static_cast<std::size_t>(group.first);
        const bool special = token < encoding.special.size() && encoding.special[token];
        numbers.push_back(special ? -1 : next++);
    }
    return numbers;
}

} // namespace

std::vector<AlignmentLink> alignmentLinks(const AttentionMatrix& matrix, const Encoding& source, const Encoding& target)
{
    const auto rows = wordAxis(target);
    const auto columns = wordAxis(source);
    const AttentionMatrix words = merge(matrix, rows, columns);
    const auto targetWords = wordNumbers(rows, target);
    const auto sourceWords = wordNumbers(columns, source);
    std::vector<AlignmentLink> links;
    for (int row = 0; row < words.rows; ++row) {
        const int targetWord = targetWords[static_cast<std::size_t>(row)];
        AlignmentLink best{-1, targetWord, 0};
        for (int column = 0; column < words.columns; ++column) {
            const int sourceWord = sourceWords[static_cast<std::size_t>(column)];
            if (sourceWord >= 0 && words.at(row, column) > best.weight)
                best = {sourceWord, targetWord, words.at(row, column)};
        }
        if (targetWord >= 0 && best.source >= 0)
            links.push_back(best);
    }
    return links;
}

std::string pharaoh(const std::vector<AlignmentLink>& links)
{
    std::string line;
    for (const AlignmentLink& link : links)
        line += fmt::format("{}{}-{}", line.empty() ? "" : " ", link.source, link.target);
    return line;
}

} // namespace attn
