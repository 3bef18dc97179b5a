// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

extern const char* const programVersion; // as in "1.2.3"

// Where the bundled models lie in the source tree and, below the installation prefix, once installed.
extern const char* const sourceModelsDirectory;
extern const char* const installedModelsDirectory;

// Level of the C library's checks that the program is compiled with, "_FORTIFY_SOURCE=3": for whoever reads the file
// that the program is, which tells level 2 from 3 by nothing else.
extern const char fortification[];

} // namespace attn
