// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"

#include <QFont>
#include <QPalette>

namespace attn::ui {

// Gives the whole program a palette; System gives back the desktop's own.
void applyTheme(ThemeMode mode);

// Theme that figures should match.
Theme themeOf(const QPalette& palette);
// Size that this gives to the letters of figures, which have 96 dots to an inch.
double textSizeOf(const QFont& font);

} // namespace attn::ui
