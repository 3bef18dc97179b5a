// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "dumps/alignment_text.h"
#include "dumps/dump.h"
#include "io/byte_reader.h"
#include "io/npy_stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
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

namespace {

// The next line of comma-separated values (RFC 4180), taken off the text.
std::vector<std::string> csvLine(std::string_view& text)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"')
            fields.back() += text[++at];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c == '\n' && !quoted)
            break;
        else if (c != '\r' || quoted)
            fields.back() += c;
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return fields;
}

// A spreadsheet takes what begins like a formula for text behind an apostrophe.
std::string label(std::string field)
{
    constexpr std::string_view formula = "=+-@\t\r\n";
    if (field.size() > 1 && field.front() == '\'' && formula.find(field[1]) != std::string_view::npos)
        field.erase(0, 1);
    return field;
}

// Nothing where two runs that are compared do not both have a cell.
std::optional<float> weight(const std::string& field)
{
    return field.empty() ? std::numeric_limits<float>::quiet_NaN() : parsedNumber<float>(field);
}

bool looksLikeMap(const DumpFile& file)
{
    std::string_view rest = file.head();
    const bool hasCorner = rest.starts_with(",") || rest.starts_with("\"\",");
    const std::vector<std::string> header = hasCorner ? csvLine(rest) : std::vector<std::string>();
    const std::vector<std::string> row = csvLine(rest);
    return header.size() > 1 && row.size() == header.size()
        && std::all_of(row.begin() + 1, row.end(), [](const std::string& field) { return weight(field).has_value(); });
}

// The tokens of the columns, then a line for each row: its token and its weights.
DumpedSentence table(const DumpFile& file)
{
    std::string_view rest = file.text();
    std::vector<std::string> header = csvLine(rest);
    DumpedMaps maps{.columns = indexSize(header) - 1};
    std::vector<std::string> rows;
    while (!rest.empty()) {
        ThreadStop::check();
        std::vector<std::string> fields = csvLine(rest);
        const std::string place = fmt::format("line {}", rows.size() + 2);
        if (fields.size() == 1 && fields.front().empty())
            continue;
        if (fields.size() != header.size())
            file.refuse(place, fmt::format("has {} fields, the first line {}", fields.size(), header.size()));
        for (auto field = fields.begin() + 1; field != fields.end(); ++field) {
            const auto number = weight(*field);
            if (!number)
                file.refuse(place, fmt::format("\"{}\" is no number", *field));
            maps.weights.push_back(*number);
        }
        rows.push_back(label(std::move(fields.front())));
    }
    DumpedSentence sentence;
    for (auto field = header.begin() + 1; field != header.end(); ++field)
        sentence.source.push_back(label(std::move(*field)));
    maps.rows = indexSize(rows);
    if (rows == sentence.source) {
        sentence.maps.emplace(ownStage(maps), std::move(maps));
    } else {
        sentence.target = std::move(rows);
        sentence.maps.emplace(Stage::Cross, std::move(maps));
    }
    return sentence;
}

} // namespace

const DumpKind csvMap = {"a table with tokens as headings (CSV)", looksLikeMap, [](const SharedDumpFile& file) {
                             return Dump{1, [file](std::size_t) { return table(*file); }};
                         }};

namespace {

DumpedSentence map(const DumpFile& file)
{
    auto reader = std::make_shared<ByteReader>(file.bytes(), file.where());
    NpyStream array({file.bytes().size(),
                     [reader](std::span<std::byte> part) {
                         const auto bytes = reader->take(part.size());
                         std::ranges::copy(bytes, part.begin());
                     }},
                    file.where());
    const auto values = array.floats(array.size());
    DumpedMaps maps = shownRuns({array.shape(), {values.begin(), values.end()}}, file.where());
    DumpedSentence sentence;
    const bool isSquare = maps.rows == maps.columns;
    sentence.maps.emplace(isSquare ? ownStage(maps) : Stage::Cross, std::move(maps));
    return sentence;
}

} // namespace

const DumpKind numpyMap = {"an array of 2 to 4 dimensions (.npy)",
                           [](const DumpFile& file) {
                               const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                                                           file.bytes().size());
                               return text.starts_with(npyMagic);
                           },
                           [](const SharedDumpFile& file) {
                               return Dump{1, [file](std::size_t) { return map(*file); }};
                           }};

} // namespace attn
