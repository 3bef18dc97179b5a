// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/charts/lookup_figure.h"
#include "figures/parts/styled_figure.h"

namespace attn::ui {

// Keys of two components and the query as arrows; a disc at the end of a key is as large as its weight. There are no
// cells to walk through: the arrow keys move the query.
class KeyPlaneFigure final : public StyledFigure
{
public:
    // Components up to `leastLimit` are seen in any case, as while the query is dragged.
    KeyPlaneFigure(const FigureSpec& spec, const LookupContent& content, QSizeF size, double leastLimit = 0);

    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // around a key's end
    FigureTable table() const override; // a row for each key

    QPointF toPoint(double x, double y) const;
    QPointF toPlane(QPointF point) const; // clamped so that no more needs to be seen
    double limit() const { return m_limit; }
    QPointF queryPoint() const { return toPoint(m_content.query); }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;

private:
    QPointF toPoint(const std::vector<float>& vector) const;
    QPointF keyPoint(int row) const { return toPoint(m_content.entries[row].key); }
    double radius(int row) const;
    void paintArrow(QPainter& painter, QPointF end, double disc, const QPen& pen) const;
    void paintName(QPainter& painter, QPointF end, double distance, const QString& text, const QColor& ink) const;

    LookupContent m_content;
    QRectF m_plane;
    double m_limit = 1; // components from -limit to limit are seen
};

} // namespace attn::ui
