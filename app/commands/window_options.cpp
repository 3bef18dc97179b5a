// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui.h"
#include "commands/commands.h"
#include "commands/options.h"

#include <CLI/CLI.hpp>

namespace attn::app {

void addWindowOptions(CLI::App& app, GuiRequest& request)
{
    app.add_option("MODEL", request.model, "open the window on this model, archive or session");
    app.add_option("--text", request.text, "with this sentence")->type_name("TEXT");
    app.add_option("--screenshot", request.screenshot, "write a picture of the window to this PNG file and quit")
        ->type_name("FILE");
    app.add_option("--laboratory", request.laboratory, "and a page of the laboratory")
        ->check(CLI::IsMember(choices("--laboratory")));
    app.add_option("--theme", request.theme, choicesText("--theme"))->check(CLI::IsMember(choices("--theme")));
    app.add_option("--language", request.language, choicesText("--language"))
        ->check(CLI::IsMember(choices("--language")));
    app.add_flag("--hand-over", request.handOver, "open MODEL in the window that is open, where there is one");
    app.add_flag("--measure-startup", request.measureStartup)->group("");
}

} // namespace attn::app
