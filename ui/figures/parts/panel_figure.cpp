// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/panel_figure.h"

#include "base/index.h"
#include "figures/look/theme.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace attn::ui {

PanelFigure::PanelFigure(std::vector<Panel> panels, QSizeF size, QColor ground, Spread spread)
    : m_panels(std::move(panels))
    , m_size(size)
    , m_ground(ground)
    , m_spread(std::move(spread))
{
}

QRectF PanelFigure::panelRect(int index) const
{
    const Panel& panel = m_panels.at(index);
    return {panel.origin, panel.figure->size()};
}

void PanelFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_ground);
    for (int i = 0; i < panelCount(); ++i) {
        Highlight marks = highlight;
        if (m_spread)
            marks = m_spread(i, highlight);
        else if (highlight.panel && highlight.panel != i)
            marks = {};
        if (i != highlight.panel.value_or(0)) // the keyboard cell is the first panel's
            marks.cursor.reset();
        painter.save();
        painter.translate(m_panels[i].origin);
        panel(i).paint(painter, marks);
        painter.restore();
    }
}

FigureHit PanelFigure::hitTest(QPointF point) const
{
    for (int i = 0; i < panelCount(); ++i) {
        if (!panelRect(i).contains(point))
            continue;
        FigureHit hit = panel(i).hitTest(point - m_panels[i].origin);
        hit.panel = i;
        return hit;
    }
    return {};
}

QRectF PanelFigure::cellRect(int row, int column) const
{
    return m_panels.empty() ? QRectF() : panel(0).cellRect(row, column).translated(m_panels.front().origin);
}

QString PanelFigure::description() const
{
    QStringList parts;
    for (const Panel& panel : m_panels)
        parts << panel.figure->description();
    return parts.join(QLatin1Char(' '));
}

std::unique_ptr<const PanelFigure> layOutPanels(const std::vector<FigureLayout>& figures, int columns, QSizeF size,
                                                Theme theme, PanelFigure::Spread spread)
{
    std::vector<const FigureLayout*> used;
    for (const FigureLayout& figure : figures) {
        if (figure)
            used.push_back(&figure);
    }
    const int count = indexSize(used);
    const int across = std::clamp(columns, 1, std::max(1, count));
    const int down = (count + across - 1) / across;
    const bool natural = size.height() <= 0;
    const QSizeF each(size.width() / across, natural || down == 0 ? 0 : size.height() / down);
    std::vector<Panel> panels;
    double top = 0;
    for (int row = 0; row < down; ++row) {
        double height = each.height();
        for (int i = row * across; i < std::min(count, (row + 1) * across); ++i) {
            auto figure = (*used[i])(each);
            height = std::max(height, figure->size().height());
            panels.push_back({std::move(figure), QPointF((i - row * across) * each.width(), top)});
        }
        top += height;
    }
    const QSizeF whole(size.width(), natural ? top : size.height());
    return std::make_unique<PanelFigure>(std::move(panels), whole, themeColors(theme).background, std::move(spread));
}

FigureLayout squareMatrix(const FigureSpec& spec, const MatrixContent& content)
{
    return [spec, content](QSizeF size) -> std::unique_ptr<const Figure> {
        auto matrix = std::make_unique<MatrixFigure>(spec, content, size);
        const double higher = matrix->cellsRect().height() - matrix->cellsRect().width();
        if (higher > 0 && size.height() > 0)
            matrix = std::make_unique<MatrixFigure>(spec, content, size - QSizeF(0, higher));
        std::vector<Panel> panels;
        panels.push_back({std::move(matrix), {}});
        const QSizeF whole(size.width(), std::max(size.height(), panels.front().figure->size().height()));
        return std::make_unique<PanelFigure>(std::move(panels), whole, themeColors(spec.theme).background);
    };
}

} // namespace attn::ui
