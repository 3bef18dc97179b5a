// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QString>

#include <vector>

namespace attn::ui {

// Names with a number each, as bars below each other.
struct BarListContent
{
    struct Entry
    {
        QString label;
        double value = 0;
    };

    FigureTitle title;
    std::vector<Entry> entries;
    double least = 0; // the bars' axis
    double most = 1;
    QString empty; // said when there are none
};

// One column of cells: the bars.
class BarListFigure final : public Figure
{
public:
    BarListFigure(const FigureSpec& spec, BarListContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // a whole line
    int rows() const override { return indexSize(m_content.entries); }
    int columns() const override { return m_content.entries.empty() ? 0 : 1; }
    QString description() const override;

    QRectF barRect(int row) const;

private:
    QString rowText(int row) const;

    BarListContent m_content;
    FigureStyle m_style;
    QSizeF m_size;
    double m_top = 0;
    double m_rowHeight = 0;
    double m_labelWidth = 0;
    double m_numberWidth = 0;
};

} // namespace attn::ui
