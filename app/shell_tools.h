// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <vector>

// Tools for packaging and shells, not people.
namespace attn::app {

// The manual page, for man: every command with its options as --help shows them.
std::string manualPage(const CLI::App& app);

// Completions of the last of the words, those after the program's name: commands, options and their choices, bundled
// models without control characters in their names, quoted for the shell. Nothing where the name of a file or a text is
// meant.
std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words);

} // namespace attn::app
