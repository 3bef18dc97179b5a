// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/cell_marks.h"

#include "base/index.h"
#include "base/progress.h"
#include "figures/figure.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace attn::ui {

namespace {

constexpr double leastMarked = 7; // height and width of a cell that has a mark of its own
constexpr double leastCorner = 3;
constexpr double mostCorner = 9;
constexpr double betweenDots = 5;
constexpr double dotRadius = 0.8;
constexpr double swatch = 10; // of the legend
constexpr double markGap = 5;

double legendLine(const FigureStyle& style)
{
    return std::max(QFontMetricsF(style.small).height(), swatch) + 2;
}

void addCorner(QPainterPath& path, const QRectF& box)
{
    const double side = std::clamp(std::min(box.width(), box.height()) * 0.3, leastCorner, mostCorner);
    path.moveTo(box.topRight());
    path.lineTo(box.right() - side, box.top());
    path.lineTo(box.right(), box.top() + side);
    path.closeSubpath();
}

void addDots(QPainterPath& path, const QRectF& box)
{
    const int across = std::clamp(static_cast<int>(box.width() / betweenDots), 1, 4);
    const int down = std::clamp(static_cast<int>(box.height() / betweenDots), 1, 4);
    for (int row = 0; row < down; ++row) {
        for (int column = 0; column < across; ++column)
            path.addEllipse(QPointF(box.left() + (column + 0.5) * box.width() / across,
                                    box.top() + (row + 0.5) * box.height() / down),
                            dotRadius, dotRadius);
    }
}

void addMark(QPainterPath& path, CellMark mark, const QRectF& box)
{
    if (mark == CellMark::Changed)
        addCorner(path, box);
    else if (mark == CellMark::Hidden)
        addDots(path, box);
}

QString linkName(bool sure)
{
    return sure ? Figure::tr("sure link") : Figure::tr("possible link");
}

// Lines between the cells of `lines` by `cells` whose marks differ from those before them, as long as they go on.
template<class At, class Line>
void addOutline(int lines, int cells, At at, Line line)
{
    for (int y = 0; y <= lines; ++y) {
        ThreadStop::check();
        int from = -1;
        for (int x = 0; x <= cells; ++x) {
            const bool differs = x < cells && at(y - 1, x) != at(y, x);
            if (differs && from < 0)
                from = x;
            if (!differs && from >= 0)
                line(y, std::exchange(from, -1), x);
        }
    }
}

} // namespace

CellMarks::CellMarks(std::vector<CellMark> marks, int rows, int columns)
    : m_marks(std::move(marks))
    , m_rows(rows)
    , m_columns(columns)
{
    if (m_marks.empty())
        return;
    addOutline(
        rows, columns, [this](int row, int column) { return at(row, column); },
        [this](int row, int from, int to) { m_outline.emplace_back(from, row, to, row); });
    addOutline(
        columns, rows, [this](int column, int row) { return at(row, column); },
        [this](int column, int from, int to) { m_outline.emplace_back(column, from, column, to); });
}

CellMark CellMarks::at(int row, int column) const
{
    const bool inside = !m_marks.empty() && row >= 0 && column >= 0 && row < m_rows && column < m_columns;
    return inside ? m_marks[static_cast<std::size_t>(row) * m_columns + column] : CellMark::Unedited;
}

int CellMarks::count(CellMark mark) const
{
    return static_cast<int>(std::count(m_marks.begin(), m_marks.end(), mark));
}

void CellMarks::paint(QPainter& painter, const FigureStyle& style, const Cells& cells) const
{
    if (empty())
        return;
    const SavedPainter saved(painter);
    painter.setClipRect(cells.room);
    if (std::min(cells.place.m11(), cells.place.m22()) >= leastMarked)
        paintLarge(painter, style, cells);
    else
        paintSmall(painter, style, cells.place);
}

void CellMarks::paintLarge(QPainter& painter, const FigureStyle& style, const Cells& cells) const
{
    QPainterPath dark;
    QPainterPath light;
    QPainterPath dots;
    for (const int row : cells.rows) {
        ThreadStop::check();
        for (const int column : cells.columns) {
            const CellMark mark = at(row, column);
            if (mark == CellMark::Unedited || cells.blank(row, column))
                continue;
            const QRectF box = cells.place.mapRect(QRectF(column, row, 1, 1));
            if (mark == CellMark::Hidden)
                addDots(dots, box);
            else
                addCorner(inkOn(cells.ground(row, column)) == QColor(Qt::black) ? dark : light, box);
        }
    }
    painter.fillPath(dark, QColor(Qt::black));
    painter.fillPath(light, QColor(Qt::white));
    painter.fillPath(dots, style.colors.muted);
}

void CellMarks::paintSmall(QPainter& painter, const FigureStyle& style, const QTransform& place) const
{
    // A light casing keeps the lines visible on every colour map.
    for (const auto& [color, width] : {std::pair{QColor(255, 255, 255, 170), 3.0}, {style.colors.accent, 1.4}}) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap));
        for (const QLineF& line : m_outline) {
            ThreadStop::check();
            painter.drawLine(place.map(line));
        }
    }
}

std::vector<MarkSample> CellMarks::legend(const FigureStyle& style) const
{
    std::vector<MarkSample> samples;
    for (const CellMark mark : {CellMark::Changed, CellMark::Hidden}) {
        const auto paint = [mark, &colors = style.colors](QPainter& painter, const QRectF& box) {
            painter.fillRect(box, colors.blank);
            paintMark(painter, mark, box, mark == CellMark::Changed ? colors.ink : colors.muted);
            painter.setPen(QPen(colors.grid, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
        };
        if (count(mark) > 0)
            samples.push_back({markName(mark), paint});
    }
    return samples;
}

double legendHeight(const FigureStyle& style, const std::vector<MarkSample>& samples)
{
    return samples.empty() ? 0 : static_cast<double>(samples.size()) * legendLine(style) + 2 * markGap;
}

void paintLegend(QPainter& painter, const FigureStyle& style, QPointF corner, const std::vector<MarkSample>& samples)
{
    const QFontMetricsF metrics(style.small);
    const double line = legendLine(style);
    double top = corner.y() + 2 * markGap;
    for (const MarkSample& sample : samples) {
        const QRectF box(corner.x(), top + (line - swatch) / 2, swatch, swatch);
        sample.paint(painter, box);
        drawLabel(painter, style.small, style.colors.muted,
                  {box.right() + markGap, top, metrics.horizontalAdvance(sample.name) + 1, line}, Qt::AlignLeft,
                  sample.name);
        top += line;
    }
}

QString markName(CellMark mark)
{
    return mark == CellMark::Changed ? Figure::tr("edited")
        : mark == CellMark::Hidden   ? Figure::tr("hidden")
                                     : QString();
}

QString markNote(CellMark mark)
{
    return mark == CellMark::Unedited ? QString() : QStringLiteral(" (%1)").arg(markName(mark));
}

void paintMark(QPainter& painter, CellMark mark, const QRectF& box, const QColor& ink)
{
    QPainterPath path;
    addMark(path, mark, box);
    painter.fillPath(path, ink);
}

void paintChosenRow(QPainter& painter, const QRectF& row, const QColor& color, double width)
{
    constexpr double lowest = 6; // that a line is drawn around
    if (row.isEmpty())
        return;
    const SavedPainter saved(painter);
    if (row.height() >= lowest) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(row);
        return;
    }
    const double side = 2 * width;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (const auto& [tip, back] : {std::pair(row.left() - 0.5, -side), std::pair(row.right() + 0.5, side)})
        painter.drawPolygon(QPolygonF({{tip, row.center().y()},
                                       {tip + back, row.center().y() - side * 0.7},
                                       {tip + back, row.center().y() + side * 0.7}}));
}

void paintLink(QPainter& painter, const QRectF& box, bool sure, const QColor& ink)
{
    constexpr double leastLinked = 4;
    const double side = std::min(box.width(), box.height());
    if (side < leastLinked)
        return;
    const double radius = std::clamp(side * 0.2, 1.5, 5.0);
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, std::clamp(side * 0.06, 1.0, 1.6)));
    painter.setBrush(sure ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(box.center(), radius, radius);
}

std::vector<MarkSample> linkLegend(const FigureStyle& style, const std::vector<GoldCell>& links)
{
    std::vector<MarkSample> samples;
    for (const bool sure : {true, false}) {
        const auto paint = [sure, ink = style.colors.ink](QPainter& painter, const QRectF& box) {
            paintLink(painter, box.adjusted(-4, -4, 4, 4), sure, ink);
        };
        if (std::ranges::find(links, sure, &GoldCell::sure) != links.end())
            samples.push_back({linkName(sure), paint});
    }
    return samples;
}

QString linkNote(const std::vector<GoldCell>& links, int row, int column)
{
    const auto link =
        std::ranges::find_if(links, [&](const GoldCell& one) { return one.row == row && one.column == column; });
    return link == links.end() ? QString() : QStringLiteral(" (%1)").arg(linkName(link->sure));
}

} // namespace attn::ui
