// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QWidget>

namespace attn::ui {

// All of a figure, small, in a corner of its view while only a part of it is visible: a frame is around that part, and
// a click or a drag goes elsewhere.
class Minimap final : public QWidget
{
    Q_OBJECT

public:
    explicit Minimap(QWidget& view);

    // `visible`: in columns and rows; null: everything.
    void follow(const Figure& figure, const QRectF& visible);

Q_SIGNALS:
    void pointed(QPointF cells); // a place, in columns and rows

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void goTo(QPointF point);

    const Figure* m_figure = nullptr; // that m_image is of, as long as the view shows it
    QImage m_image;
    QSize m_cells; // columns and rows
    QRectF m_visible;
};

} // namespace attn::ui
