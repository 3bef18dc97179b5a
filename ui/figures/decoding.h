// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/theme.h"

#include <QFont>
#include <QStringList>

#include <vector>

namespace attn::ui {

// One decoding step: the output so far, the step's attention over its input as bars, and its candidates.
class DecodingFigure final : public Figure
{
public:
    DecodingFigure(const FigureSpec& spec, const Trace& trace, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // none
    int rows() const override { return 0; }
    int columns() const override { return 0; }
    QString description() const override { return m_description; }

private:
    struct Bar
    {
        QString label;
        double value = 0; // 0 .. 1
        bool strong = false;
        QRectF box; // the whole line
    };
    struct Panel
    {
        QString title;
        QRectF box;
        double labelWidth = 0;
        double most = 1;
        std::vector<Bar> bars;
    };

    void layOut(QSizeF wanted);
    void layOutPanel(Panel& panel, QRectF box) const;
    void paintPanel(QPainter& painter, const Panel& panel) const;

    ThemeColors m_theme;
    QColor m_bar;
    QFont m_font;
    QFont m_titleFont;
    QString m_title;
    QString m_subtitle;
    QString m_output;
    QString m_empty;
    QString m_description;
    QSizeF m_size;
    Panel m_attention;
    Panel m_candidates;
};

} // namespace attn::ui
