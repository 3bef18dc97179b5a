// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QPalette>

#include <cstdint>

namespace attn::ui {

enum class ThemeMode : std::uint8_t { System, Light, Dark };

// Gives the whole program a palette; System gives back the desktop's own.
void applyTheme(ThemeMode mode);

// What figures should match.
Theme themeOf(const QPalette& palette);

} // namespace attn::ui
