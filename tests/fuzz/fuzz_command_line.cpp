// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "commands/commands.h"
#include "fuzz_input.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

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
    int status = 0;
    attn::app::addTraceCommand(app);
    attn::app::addFigureCommand(app);
    attn::app::addBatchCommand(app, status);
    attn::app::addHeadsCommand(app, status);
    attn::app::addTokenizeCommand(app);
    attn::app::addInfoCommand(app);
    attn::app::addModelsCommand(app);
    attn::app::addBenchCommand(app);
    app.parse_complete_callback([] { throw CLI::Success(); }); // the words are read, what they ask for is not done
    try {
        app.parse(words);
    } catch (const CLI::Error&) { // an answer
    } catch (const attn::app::UsageError&) {
    }
    return 0;
}
