// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QColor>

namespace attn::ui {

// The colours of everything in a figure that is not data. Text has a contrast of at least 4.5 on the background.
struct ThemeColors
{
    QColor background;
    QColor ink; // tokens, title
    QColor muted; // axis names, ticks
    QColor grid; // frames and lines between cells
    QColor blank; // cells that cannot have a value
    QColor accent; // marked row, selected head
    QColor cursor; // keyboard cell
};

ThemeColors themeColors(Theme theme);

} // namespace attn::ui
