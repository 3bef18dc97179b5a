// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

extern const char* const programVersion; // as in "1.2.3"

// Where the bundled models lie in the source tree and, below the installation prefix, once installed.
extern const char* const sourceModelsDirectory;
extern const char* const installedModelsDirectory;

} // namespace attn
