// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/panel_figure.h"

#include "base/index.h"
#include "figures/look/saved_painter.h"
#include "figures/look/theme.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <memory>
#include <utility>

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
        const SavedPainter saved(painter);
        painter.translate(m_panels[i].origin);
        panel(i).paint(painter, marks);
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

FigureTable PanelFigure::table() const
{
    struct Part
    {
        FigureTable table;
        QPointF origin;
        int firstRow = 0;
    };
    FigureTable all;
    auto parts = std::make_shared<std::vector<Part>>();
    std::vector<int> starts; // of the panels
    for (const Panel& panel : m_panels) {
        starts.push_back(all.rows);
        FigureTable table = panel.figure->table();
        if (table.rows == 0)
            continue;
        for (const int row : table.chosenRows)
            all.chosenRows.push_back(all.rows + row);
        all.columns = std::max(all.columns, table.columns);
        const int firstRow = all.rows;
        all.rows += table.rows;
        parts->push_back({std::move(table), panel.origin, firstRow});
    }
    const auto partOf = [parts](int row) -> const Part& {
        return *(std::ranges::upper_bound(*parts, row, {}, &Part::firstRow) - 1);
    };
    const bool several = parts->size() > 1;
    // A name of a column holds for all of them, or it says nothing.
    const auto columnText = [parts](int column) -> QString {
        QString name;
        for (const Part& part : *parts) {
            const QString own =
                column < part.table.columns ? part.table.text({FigureTable::header, column}) : QString();
            if (!name.isEmpty() && own != name)
                return QString::number(column);
            name = own;
        }
        return name;
    };
    const auto ask = [partOf, columnText](FigureCell cell, bool tip) -> QString {
        if (cell.row == FigureTable::header)
            return columnText(cell.column);
        const Part& part = partOf(cell.row);
        const FigureCell inside{cell.row - part.firstRow, cell.column};
        return !part.table.has(inside) ? QString() : tip ? part.table.tip(inside) : part.table.text(inside);
    };
    all.text = [ask, several](FigureCell cell) { return ask(cell, several && cell.column != FigureTable::header); };
    all.tip = [ask](FigureCell cell) { return ask(cell, true); };
    all.rect = [partOf](FigureCell cell) {
        const Part* const part = cell.row == FigureTable::header ? nullptr : &partOf(cell.row);
        const FigureCell inside{part == nullptr ? 0 : cell.row - part->firstRow, cell.column};
        const QRectF box = part == nullptr || !part->table.has(inside) ? QRectF() : part->table.rect(inside);
        return box.isNull() ? box : box.translated(part->origin);
    };
    all.place = [starts, this](const FigureHit& hit) -> std::optional<FigureCell> {
        const int index = hit.panel.value_or(0);
        if (index >= panelCount())
            return std::nullopt;
        auto found = panel(index).table().placeOf(hit);
        if (found && found->row != FigureTable::header)
            found->row += starts[static_cast<std::size_t>(index)];
        return found;
    };
    return all;
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
