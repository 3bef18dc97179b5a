// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/gui.h"
#include "commands/commands.h"
#include "fuzz_input.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Command
{
    std::string_view name;
    void (*add)(CLI::App& app, int& status);
};

constexpr Command commands[] = {
    {"trace", [](CLI::App& app, int&) { attn::app::addTraceCommand(app); }},
    {"figure", [](CLI::App& app, int&) { attn::app::addFigureCommand(app); }},
    {"batch", attn::app::addBatchCommand},
    {"heads", attn::app::addHeadsCommand},
    {"tokenize", [](CLI::App& app, int&) { attn::app::addTokenizeCommand(app); }},
    {"info", [](CLI::App& app, int&) { attn::app::addInfoCommand(app); }},
    {"models", [](CLI::App& app, int&) { attn::app::addModelsCommand(app); }},
    {"bench", [](CLI::App& app, int&) { attn::app::addBenchCommand(app); }},
};

} // namespace

ATTN_FUZZ_TARGET(command_line)
{
    std::vector<std::string> words;
    std::string_view rest = attn::fuzz::text(data, size);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\0'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::ranges::reverse(words); // as the parser wants them
    CLI::App app("", "attnscope");
    attn::app::GuiRequest request;
    attn::app::addWindowOptions(app, request);
    int status = 0;
    for (const Command& command : commands) { // building options that no word asks for would take most of the time
        if (std::ranges::find(words, command.name) != words.end())
            command.add(app, status);
    }
    app.parse_complete_callback([] { throw CLI::Success(); }); // the words are read, what they ask for is not done
    try {
        app.parse(words);
    } catch (const CLI::Error&) { // an answer
    } catch (const attn::app::UsageError&) {
    }
    return 0;
}
