// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "dumps/alignment_text.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace attn {

namespace {

// Table that OpenNMT-py prints with -attn_debug: the source's tokens, then a line for each token written, its weights
// with stars before the largest.
struct PrintedTable
{
    std::vector<std::string> source;
    std::vector<std::string> target = {};
    DumpedMaps maps = {};
};

// The weights of a line of `columns` of them; empty for another one.
std::vector<float> tableRow(const std::vector<std::string>& fields, std::size_t columns)
{
    std::vector<float> weights;
    bool hasStar = false;
    for (std::size_t i = 1; i < fields.size() && fields.size() == columns + 1; ++i) {
        const std::size_t begin = fields[i].find_first_not_of('*');
        hasStar = hasStar || begin > 0;
        const auto weight = parsedNumber<float>(std::string_view(fields[i]).substr(std::min(begin, fields[i].size())));
        if (!weight)
            return {};
        weights.push_back(*weight);
    }
    return hasStar ? weights : std::vector<float>();
}

std::vector<PrintedTable> tablesOf(std::string_view text)
{
    std::vector<PrintedTable> tables;
    std::vector<std::string> before; // the line before, where a table could begin
    bool isOpen = false;
    for (const std::string_view line : linesOf(text)) {
        std::vector<std::string> fields = wordsOf(line);
        std::vector<float> weights = tableRow(fields, isOpen ? tables.back().source.size() : before.size());
        if (!weights.empty() && !isOpen)
            tables.push_back({std::move(before)});
        isOpen = !weights.empty();
        if (isOpen) {
            PrintedTable& table = tables.back();
            table.target.push_back(std::move(fields.front()));
            table.maps.columns = indexSize(weights);
            ++table.maps.rows;
            table.maps.weights.insert(table.maps.weights.end(), weights.begin(), weights.end());
        }
        before = std::move(fields);
    }
    return tables;
}

} // namespace

const DumpKind attentionTable = {
    "tables of OpenNMT-py's -attn_debug", [](const DumpFile& file) { return !tablesOf(file.head()).empty(); },
    [](const SharedDumpFile& file) {
        const auto tables = std::make_shared<const std::vector<PrintedTable>>(tablesOf(file->text()));
        return Dump{tables->size(), [tables](std::size_t i) {
                        const PrintedTable& table = (*tables)[i];
                        return aligned(table.maps, table.source, table.target);
                    }};
    }};

} // namespace attn
