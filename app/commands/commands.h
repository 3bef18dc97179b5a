// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace attn::app {

struct GuiRequest;

// Options that the window is opened with. A first argument that is no command is a MODEL for it; CLI11 would take it
// for a misspelt command.
void addWindowOptions(CLI::App& app, GuiRequest& request);

// Each adds a subcommand whose callback does the work: it throws attn::Error or UsageError, and sets `status` when it
// ends with something other than success.
void addTraceCommand(CLI::App& app);
void addFigureCommand(CLI::App& app);
void addBatchCommand(CLI::App& app, int& status);
void addGroundCommand(CLI::App& app, int& status);
void addAlignCommand(CLI::App& app, int& status);
void addHeadsCommand(CLI::App& app, int& status);
void addDiffCommand(CLI::App& app, int& status);
void addVerifyCommand(CLI::App& app, int& status);
void addReadingsCommand(CLI::App& app, int& status);
void addTokenizeCommand(CLI::App& app);
void addInfoCommand(CLI::App& app);
void addModelsCommand(CLI::App& app);
void addBenchCommand(CLI::App& app);

} // namespace attn::app
