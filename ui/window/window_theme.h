// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"

#include <QPalette>

namespace attn::ui {

// Gives the whole program a palette; System gives back the desktop's own.
void applyTheme(ThemeMode mode);

// What figures should match.
Theme themeOf(const QPalette& palette);

} // namespace attn::ui
