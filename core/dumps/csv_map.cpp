// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/plain_text.h"
#include "base/thread_stop.h"
#include "dumps/dump.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace attn {

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

} // namespace attn
