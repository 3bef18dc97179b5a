// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "dumps/alignment_text.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

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
