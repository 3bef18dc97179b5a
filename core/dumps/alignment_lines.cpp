// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/alignment_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

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

} // namespace attn
