// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QPointF>
#include <QString>

#include <vector>

namespace attn::ui {

// Points of a plane with their names.
struct ScatterContent
{
    struct Point
    {
        QPointF at;
        QString label;
        bool special = false; // drawn hollow
        bool chosen = false;
    };

    FigureTitle title;
    std::vector<Point> points;
    QString xAxis;
    QString yAxis;
    QString empty; // said when there are no points
};

// One unit is as long on both axes. Names stand beside their points where they overlap nothing; those that fit nowhere
// are said on hover. One row of cells: the points.
class ScatterFigure final : public Figure
{
public:
    ScatterFigure(const FigureSpec& spec, ScatterContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override; // a point or its name
    QRectF cellRect(int row, int column) const override; // around a point
    int rows() const override { return m_content.points.empty() ? 0 : 1; }
    int columns() const override { return indexSize(m_content.points); }
    QString description() const override;

    QPointF position(int point) const;
    QRectF labelRect(int point) const; // null: there is no room for it

private:
    void layOutScale();
    void layOutLabels();
    bool isFree(const QRectF& box, int point) const;
    QString pointText(int point) const;
    void paintAxes(QPainter& painter) const;
    void paintPoint(QPainter& painter, int point, bool pointed) const;
    void paintLabel(QPainter& painter, int point, bool pointed) const;

    ScatterContent m_content;
    FigureStyle m_style;
    QSizeF m_size;
    QRectF m_plot;
    QPointF m_centre; // of the data
    double m_scale = 1; // pixels a unit
    std::vector<QRectF> m_labels;
};

} // namespace attn::ui
