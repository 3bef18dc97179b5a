// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "support/texts.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace attn::test {

// Of an area, what a figure paints when it is asked for that; null: all.
inline QByteArray svgOf(const ui::Figure& figure, const ui::Highlight& highlight = {}, const QRectF& area = {})
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    QPainter painter(&svg);
    if (!area.isNull())
        painter.setClipRect(area);
    figure.paint(painter, highlight);
    painter.end();
    return buffer.data();
}

// What a figure writes; a text that is broken into lines counts as these.
inline QSet<QString> textsOf(const ui::Figure& figure, const ui::Highlight& highlight = {})
{
    return textsOf(svgOf(figure, highlight));
}

// A figure as the window paints it.
inline QImage painted(const ui::Figure& figure, const ui::Highlight& highlight = {})
{
    QImage image(figure.size().toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    figure.paint(painter, highlight);
    return image;
}

} // namespace attn::test
