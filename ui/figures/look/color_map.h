// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QColor>
#include <QList>
#include <QRgb>
#include <QString>

#include <array>
#include <span>

namespace attn::ui {

// A colour map as a table: index 0 is the least value, 255 the greatest.
using ColorTable = std::array<QRgb, 256>;

// One colour map: adding a row adds it everywhere, from the menu to the command line.
struct ColorMapRow
{
    const char* id; // on the command line and in settings
    const char* title; // for translated()
    std::span<const QRgb> controls; // colours at equal distances, between which the map is linear
    std::span<const QRgb> dark = {}; // the same in the dark theme, where zero is the paper; empty: those
};
std::span<const ColorMapRow> colorMaps();
ColorMapName divergingColors(); // the middle stands for zero
// Likewise, and the middle is the theme's background; none that can be chosen.
ColorMapName differenceColors(Theme theme);

// Colour map by which a theme shows the one that was chosen.
ColorMapName shownColors(ColorMapName name, Theme theme);

const ColorTable& colorTable(ColorMapName name);

// Nearest entry for a fraction; outside 0 .. 1 it is clamped, and what is none gives the first.
QColor colorAt(ColorMapName name, double fraction);

// The ground with a share, 0 .. 1, of the ink over it; opaque.
QColor mixed(const QColor& ground, const QColor& ink, double share);

// Throws attn::Error{Input} that lists the ids.
ColorMapName colorMapFromName(const QString& id);

} // namespace attn::ui
