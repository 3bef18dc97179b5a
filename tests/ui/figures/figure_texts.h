// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "support/texts.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

namespace attn::test {

// What a figure writes; a text that is broken into lines counts as these.
inline QSet<QString> textsOf(const ui::Figure& figure, const ui::Highlight& highlight = {})
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    QPainter painter(&svg);
    figure.paint(painter, highlight);
    painter.end();
    return textsOf(buffer.data());
}

} // namespace attn::test
