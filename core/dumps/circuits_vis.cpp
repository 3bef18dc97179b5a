// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/dump.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Pages of circuitsvis end in render("circuits-vis-...", AttentionPatterns, {"tokens": ..., "attention": ...}). The
// object is read, the program around it is not looked at.
constexpr std::string_view circuitsMark = "circuits-vis-";
constexpr std::string_view components[] = {"AttentionPatterns,", "AttentionHeads,", "AttentionPattern,"};

std::optional<std::size_t> propertiesAt(std::string_view text)
{
    for (const std::string_view component : components) {
        for (std::size_t at = text.find(component); at != std::string_view::npos; at = text.find(component, at + 1)) {
            const std::size_t next = text.find_first_not_of(" \t\r\n", at + component.size());
            if (next != std::string_view::npos && text[next] == '{')
                return next;
        }
    }
    return std::nullopt;
}

DumpedSentence circuitsPage(const DumpFile& file)
{
    const std::string_view text = file.text();
    const auto begin = propertiesAt(text);
    if (!begin)
        file.refuse({}, "is a page of circuitsvis that shows no attention");
    const JsonObject properties(objectAt(text, *begin, file.where()), file.where());
    DumpedSentence sentence;
    sentence.source = textsOf(properties.requireList("tokens"), file.where() + ": tokens");
    const std::string place = file.where() + ": attention";
    DumpedMaps maps = shownRuns(nestedNumbers(properties.requireList("attention"), place), place);
    sentence.maps.emplace(ownStage(maps), std::move(maps));
    return sentence;
}

} // namespace

const DumpKind circuitsVis = {
    "circuitsvis pages (HTML)",
    [](const DumpFile& file) { return file.looksLikePage() && contains(file.head(), circuitsMark); },
    [](const SharedDumpFile& file) {
        return Dump{1, [file](std::size_t) { return circuitsPage(*file); }};
    }};

} // namespace attn
