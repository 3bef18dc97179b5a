// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/focus_frame.h"

#include "figures/look/saved_painter.h"

#include <QPainter>
#include <QPalette>
#include <QRectF>

namespace attn::ui {

namespace {

constexpr double frameWidth = 2;

} // namespace

void paintFocus(QPainter& painter, const QPalette& palette, const QRectF& area)
{
    const SavedPainter saved(painter);
    painter.setPen(QPen(palette.color(QPalette::Highlight), frameWidth));
    painter.setBrush(Qt::NoBrush);
    constexpr double half = frameWidth / 2;
    painter.drawRect(area.adjusted(half, half, -half, -half));
}

} // namespace attn::ui
