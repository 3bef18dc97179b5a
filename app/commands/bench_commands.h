// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace attn::app {

// Each adds a benchmark in files of its own to `bench`.
void addBenchModel(CLI::App& bench);
void addBenchGrowth(CLI::App& bench);
#ifdef ATTN_WITH_UI
void addBenchWindow(CLI::App& bench);
#endif

// What `bench model --capture` takes.
std::vector<std::string> benchCaptures();

} // namespace attn::app
