// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QString>

#include <string>

class QPainter;

namespace attn::ui {

// A token as people read it: blanks and controls made visible, never empty.
QString readableToken(const std::string& label);

// `text` cut to `width` with an ellipsis where it is too long.
QString elided(const QString& text, const QFontMetricsF& metrics, double width);

// The figure font at a size in points (1/72 inch) on a canvas of 96 logical pixels an inch.
QFont figureFont(double points, bool bold = false);

} // namespace attn::ui
