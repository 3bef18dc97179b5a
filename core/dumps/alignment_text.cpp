// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/alignment_text.h"

#include "base/error.h"
#include "base/plain_text.h"
#include "base/thread_stop.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// Texts leave out the end token, which weights have.
void fitTokens(std::vector<std::string>& tokens, Index size)
{
    if (indexSize(tokens) == size - 1)
        tokens.emplace_back("</s>");
    if (indexSize(tokens) != size)
        tokens.clear();
}

std::optional<DumpedMaps> rowsOfWeights(std::string_view text, std::string_view betweenRows,
                                        std::string_view betweenWeights)
{
    DumpedMaps maps;
    for (const std::string_view row : partsOf(text, betweenRows, EmptyParts::LeftOut)) {
        Index columns = 0;
        for (const std::string_view part : partsOf(row, betweenWeights, EmptyParts::LeftOut)) {
            const auto weight = parsedNumber<float>(part);
            if (!weight)
                return std::nullopt;
            maps.weights.push_back(*weight);
            ++columns;
        }
        if (columns == 0 || (maps.rows > 0 && columns != maps.columns))
            return std::nullopt;
        maps.columns = columns;
        ++maps.rows;
    }
    return maps.rows > 0 ? std::optional(std::move(maps)) : std::nullopt;
}

} // namespace

std::vector<std::string_view> partsOf(std::string_view text, std::string_view separator, EmptyParts empty)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        if (end > begin || empty == EmptyParts::Kept)
            parts.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return parts;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    const auto parts = partsOf(text, " ", EmptyParts::LeftOut);
    return {parts.begin(), parts.end()};
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines = partsOf(text, "\n", EmptyParts::Kept);
    for (std::string_view& line : lines) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
    }
    if (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

std::optional<std::vector<WordLink>> hardAlignment(std::string_view text)
{
    std::vector<WordLink> links;
    for (const std::string_view part : partsOf(text, " ", EmptyParts::LeftOut)) {
        const std::string_view link = part.substr(0, part.find(':'));
        const std::size_t dash = std::min(link.find('-'), link.size());
        const auto source = parsedNumber<std::size_t>(link.substr(0, dash));
        const auto target = parsedNumber<std::size_t>(link.substr(std::min(dash + 1, link.size())));
        if (!source || !target)
            return std::nullopt;
        links.push_back({*source, *target});
    }
    return links.empty() ? std::nullopt : std::optional(std::move(links));
}

std::optional<DumpedMaps> softAlignment(std::string_view text)
{
    if (contains(text, ","))
        return rowsOfWeights(text, " ", ",");
    return contains(text, ";") ? rowsOfWeights(text, ";", " ") : std::nullopt;
}

DumpedSentence aligned(const std::vector<WordLink>& links, std::vector<std::string> source,
                       std::vector<std::string> target, const std::string& where)
{
    const std::size_t rows = std::ranges::max(links, {}, &WordLink::target).target + 1;
    const std::size_t columns = std::ranges::max(links, {}, &WordLink::source).source + 1;
    DumpedMaps maps = zeroMaps(1, 1, std::max(rows, target.size()), std::max(columns, source.size()), where);
    for (const WordLink& link : links)
        maps.weights[link.target * static_cast<std::size_t>(maps.columns) + link.source] = 1;
    return aligned(std::move(maps), std::move(source), std::move(target));
}

DumpedSentence aligned(DumpedMaps maps, std::vector<std::string> source, std::vector<std::string> target)
{
    ThreadStop::check();
    DumpedSentence sentence{.source = std::move(source), .target = std::move(target)};
    for (const std::string& word : sentence.source)
        sentence.text += (sentence.text.empty() ? "" : " ") + word;
    fitTokens(sentence.source, maps.columns);
    fitTokens(sentence.target, maps.rows);
    sentence.maps.emplace(Stage::Cross, std::move(maps));
    return sentence;
}

} // namespace attn
