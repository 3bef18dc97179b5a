// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "commands/unfinished_batch.h"
#include "fuzz_input.h"
#include "io/atomic_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// What each line says that it answers; nothing where it says none.
std::vector<std::string> sourcesOf(std::string_view lines)
{
    std::vector<std::string> sources;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        const auto json = nlohmann::json::parse(line, nullptr, false);
        const bool isAnswer = json.is_object() && json.contains("source") && json["source"].is_string();
        sources.push_back(isAnswer ? json["source"].get<std::string>() : std::string());
    }
    return sources;
}

void readFinished(const std::filesystem::path& output, const std::optional<std::filesystem::path>& alignments,
                  std::string_view lines)
{
    const std::vector<std::string> sources = sourcesOf(lines);
    try {
        const auto finished = attn::app::readFinishedLines(output, alignments, sources, {});
        const std::string_view kept = lines.substr(0, finished.outputBytes);
        attn::fuzz::require(kept.size() == finished.outputBytes && (kept.empty() || kept.ends_with('\n')));
        attn::fuzz::require(finished.lines == static_cast<std::size_t>(std::ranges::count(kept, '\n')));
        attn::fuzz::require(finished.failed <= finished.lines && kept.find('\0') == std::string_view::npos);
    } catch (const attn::app::UsageError&) { // an answer
    }
}

} // namespace

// What was asked, the alignments and the answers of an interrupted batch.
ATTN_FUZZ_TARGET(batch)
{
    static const attn::fuzz::Folder folder("batch");
    const auto parts = attn::fuzz::parts(attn::fuzz::text(data, size), 3);
    const std::filesystem::path output = folder.path() / "out.jsonl";
    const auto alignments = folder.put("out.al.part", parts[1]);
    const auto unfinished = folder.put(attn::unfinishedPath(output).filename().string(), parts[2]);
    for (const auto& links : {std::optional<std::filesystem::path>(), std::optional(alignments)})
        attn::fuzz::answer([&] { readFinished(unfinished, links, parts[2]); });
    return attn::fuzz::answer([&] {
        const std::string asked(parts[0]);
        attn::fuzz::require(attn::app::askedDifferences(asked, asked, "asked").empty());
    });
}
