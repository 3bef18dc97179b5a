// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace attn::app {

// The manual page, for man: every command with its options as --help shows them.
std::string manualPage(const CLI::App& app);

} // namespace attn::app
