// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"

#include <QColor>
#include <QPicture>

namespace attn::ui {

// What was painted once, replayed at any size in the same proportions; lines and text stay lines and text. For charts,
// which only the window's thread can paint.
class PictureFigure final : public Figure
{
public:
    PictureFigure(QPicture picture, QSizeF recorded, QSizeF wanted, QColor ground, QString description);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF) const override { return {}; }
    QRectF cellRect(int, int) const override { return {}; }
    int rows() const override { return 0; }
    int columns() const override { return 0; }
    QString description() const override { return m_description; }

private:
    QPicture m_picture;
    QSizeF m_recorded;
    QSizeF m_size;
    QColor m_ground;
    QString m_description;
};

} // namespace attn::ui
