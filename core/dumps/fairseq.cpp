// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "dumps/alignment_text.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <utility>

namespace attn {

namespace {

// Lines of fairseq-generate --print-alignment: "S-3 TAB source", "H-3 TAB score TAB tokens" and "A-3 TAB alignment",
// hard or soft, among others. An n-best list has several H and A of a number.
struct OutputLine
{
    char letter;
    std::size_t number;
    std::string_view rest;
};

std::optional<OutputLine> outputLine(std::string_view line)
{
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab < 3 || line[1] != '-')
        return std::nullopt;
    const auto number = parsedNumber<std::size_t>(line.substr(2, tab - 2));
    return number ? std::optional(OutputLine{line[0], *number, line.substr(tab + 1)}) : std::nullopt;
}

struct AlignedOutput
{
    std::size_t number = 0;
    std::string_view source;
    std::string_view target;
    std::string_view alignment;
};

std::vector<AlignedOutput> outputsOf(std::string_view text)
{
    std::vector<AlignedOutput> result;
    std::map<std::size_t, AlignedOutput> open;
    for (const std::string_view line : linesOf(text)) {
        const auto output = outputLine(line);
        if (!output)
            continue;
        AlignedOutput& one = open[output->number];
        one.number = output->number;
        if (output->letter == 'S') {
            one.source = output->rest;
        } else if (output->letter == 'H') {
            one.target = output->rest.substr(std::min(output->rest.find('\t') + 1, output->rest.size()));
        } else if (output->letter == 'A' && !output->rest.empty()) {
            one.alignment = output->rest;
            result.push_back(one);
        }
    }
    return result;
}

DumpedSentence sentence(const AlignedOutput& output, const DumpFile& file)
{
    if (auto maps = softAlignment(output.alignment))
        return aligned(std::move(*maps), wordsOf(output.source), wordsOf(output.target));
    const auto links = hardAlignment(output.alignment);
    if (!links)
        file.refuse(fmt::format("A-{}", output.number), "is no alignment");
    return aligned(*links, wordsOf(output.source), wordsOf(output.target), file.where());
}

bool isOutput(const DumpFile& file)
{
    for (const std::string_view line : linesOf(file.head())) {
        if (const auto output = outputLine(line); output && output->letter == 'A')
            return true;
    }
    return false;
}

} // namespace

const DumpKind fairseqOutput = {
    "output of fairseq-generate --print-alignment, hard or soft", isOutput, [](const SharedDumpFile& file) {
        const auto outputs = std::make_shared<const std::vector<AlignedOutput>>(outputsOf(file->text()));
        return Dump{outputs->size(), [file, outputs](std::size_t i) { return sentence((*outputs)[i], *file); }};
    }};

} // namespace attn
