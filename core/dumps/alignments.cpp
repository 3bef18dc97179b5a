// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "dumps/alignment_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
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

namespace {

// A line a sentence, its parts between "|||" or tabs: what was written and its alignment, of Marian (--alignment), of
// OpenNMT-py (-report_align) and OpenNMT-tf (--with_alignments) and Sockeye (translation_with_alignments); n-best lists
// have a number before and scores behind. Without a text it is an alignment in Pharaoh's form.
struct AlignedLine
{
    std::string_view target; // empty: none
    std::string_view alignment;
};

std::optional<AlignedLine> alignedLine(std::string_view line)
{
    const bool hasTabs = !contains(line, " ||| ") && contains(line, "\t");
    const auto parts = partsOf(line, hasTabs ? "\t" : " ||| ", EmptyParts::Kept);
    const auto isAlignment = [](std::string_view part) { return hardAlignment(part) || softAlignment(part); };
    const auto alignment = std::ranges::find_if(parts, isAlignment);
    if (alignment == parts.end() || (parts.size() == 1 && !hardAlignment(*alignment))) // numbers alone are anything
        return std::nullopt;
    const auto isText = [](std::string_view part) { return part.find_first_not_of("0123456789.-eE ") != part.npos; };
    const auto target = std::find_if(parts.begin(), alignment, isText);
    return AlignedLine{target == alignment ? std::string_view() : *target, *alignment};
}

DumpedSentence sentence(const AlignedLine& line, const DumpFile& file)
{
    if (auto maps = softAlignment(line.alignment))
        return aligned(std::move(*maps), {}, wordsOf(line.target));
    return aligned(*hardAlignment(line.alignment), {}, wordsOf(line.target), file.where());
}

// Sentences that nothing is aligned in are left out, and lines of another kind between them.
std::vector<AlignedLine> alignedLines(std::string_view text)
{
    std::vector<AlignedLine> result;
    for (const std::string_view line : linesOf(text)) {
        if (auto one = alignedLine(line))
            result.push_back(*one);
    }
    return result;
}

bool looksAligned(const DumpFile& file)
{
    const auto lines = linesOf(file.head().substr(0, file.head().find('\n')));
    return !lines.empty() && alignedLine(lines.front()).has_value();
}

} // namespace

const DumpKind alignmentLines = {
    "alignments a line, of Marian, OpenNMT and Sockeye, hard or soft, or in Pharaoh's form", looksAligned,
    [](const SharedDumpFile& file) {
        const auto lines = std::make_shared<const std::vector<AlignedLine>>(alignedLines(file->text()));
        return Dump{lines->size(), [file, lines](std::size_t i) { return sentence((*lines)[i], *file); }};
    }};

namespace {

// "id ||| target ||| score ||| source ||| source length ||| target length", then a row of weights for each target token
// and an empty line: Sockeye (translation_with_alignment_matrix); Nematus and OpenNMT's translate.lua (-save_attention)
// have both lengths in one part.
struct MatrixHeading
{
    std::string_view target;
    std::string_view source;
};

std::optional<MatrixHeading> headingOf(std::string_view line)
{
    const auto parts = partsOf(line, " ||| ", EmptyParts::Kept);
    if (parts.size() != 5 && parts.size() != 6)
        return std::nullopt;
    const auto lengths = wordsOf(line.substr(line.find(parts[4], line.rfind(parts[3]) + parts[3].size())));
    const bool isHeading = parsedNumber<std::size_t>(parts[0]) && parsedNumber<double>(parts[2]) && !lengths.empty()
        && parsedNumber<std::size_t>(lengths.front()) && parsedNumber<std::size_t>(lengths.back());
    return isHeading ? std::optional(MatrixHeading{parts[1], parts[3]}) : std::nullopt;
}

struct WrittenMatrix
{
    MatrixHeading heading;
    std::size_t line = 0; // of its heading
    std::vector<std::string_view> rows = {};
};

DumpedSentence sentence(const WrittenMatrix& matrix, const DumpFile& file)
{
    DumpedMaps maps;
    for (const std::string_view row : matrix.rows) {
        Index columns = 0;
        const std::string place = fmt::format("line {}", matrix.line + 1 + static_cast<std::size_t>(maps.rows) + 1);
        for (const std::string_view part : partsOf(row, " ", EmptyParts::LeftOut)) {
            const auto weight = parsedNumber<float>(part);
            if (!weight)
                file.refuse(place, "is no row of weights");
            maps.weights.push_back(*weight);
            ++columns;
        }
        if (maps.rows > 0 && columns != maps.columns)
            file.refuse(place, fmt::format("has {} weights, the row before {}", columns, maps.columns));
        maps.columns = columns;
        ++maps.rows;
    }
    if (maps.rows == 0)
        file.refuse(fmt::format("line {}", matrix.line + 1), "has no rows of weights behind it");
    return aligned(std::move(maps), wordsOf(matrix.heading.source), wordsOf(matrix.heading.target));
}

std::vector<WrittenMatrix> matricesOf(std::string_view text)
{
    std::vector<WrittenMatrix> result;
    std::size_t number = 0;
    for (const std::string_view line : linesOf(text)) {
        if (const auto heading = headingOf(line))
            result.push_back({*heading, number});
        else if (!result.empty() && !line.empty())
            result.back().rows.push_back(line);
        ++number;
    }
    return result;
}

} // namespace

const DumpKind alignmentMatrix = {
    "alignment matrices of Sockeye, Nematus and OpenNMT (translate.lua)",
    [](const DumpFile& file) { return headingOf(file.head().substr(0, file.head().find('\n'))).has_value(); },
    [](const SharedDumpFile& file) {
        const auto matrices = std::make_shared<const std::vector<WrittenMatrix>>(matricesOf(file->text()));
        return Dump{matrices->size(), [file, matrices](std::size_t i) { return sentence((*matrices)[i], *file); }};
    }};

} // namespace attn
