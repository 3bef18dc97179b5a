// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn::app {

// Parses the arguments, does what they ask, and returns the exit status. Prints one line on standard error when it
// fails.
int runCommandLine(int argc, char** argv);

} // namespace attn::app
