// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QColor>
#include <QList>
#include <QRgb>
#include <QString>

#include <array>

namespace attn::ui {

// A colour map as a table: index 0 is the least value, 255 the greatest.
using ColorTable = std::array<QRgb, 256>;

const ColorTable& colorTable(ColorMapName name);

// Nearest entry for a fraction; outside 0 .. 1 it is clamped, NaN gives the first.
QColor colorAt(ColorMapName name, double fraction);

// Names as on the command line: "viridis". Throws attn::Error{Input} listing them.
ColorMapName colorMapFromName(const QString& name);
QString colorMapToName(ColorMapName name);

} // namespace attn::ui
