// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words around the cells of a matrix figure, and the bars of whole rows and columns right of them and below them.
#include "base/index.h"
#include "base/progress.h"
#include "figures/figure.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attn::ui {

namespace {

constexpr double longestMargin = 36; // of a bar
constexpr double leastThickness = 1; // of a bar, in pixels: thinner ones make one area

QString marginName(Margins margins)
{
    switch (margins) {
    case Margins::None:
        break;
    case Margins::Sum:
        return Figure::tr("sum");
    case Margins::Entropy:
        return Figure::tr("entropy in bits");
    case Margins::Largest:
        return Figure::tr("largest");
    }
    return {};
}

} // namespace

bool MatrixContent::isUnwritten(TokenPlace place) const
{
    const MapAxis& one = axis(place.side);
    return one.unwritten && one.token(place.index) == one.unwritten;
}

QString MatrixContent::askedBy(int row) const
{
    const QString query = queries.value(row);
    return query.isEmpty() ? query : Figure::tr(" \u00B7 asked by \u201C%1\u201D").arg(query);
}

QColor MatrixContent::inkOf(TokenPlace place, const ThemeColors& colors) const
{
    const MapAxis& one = axis(place.side);
    const auto& marked = place.side == TokenSide::Rows ? markedRow : markedColumn;
    return place.index == marked                                ? colors.accent
        : isUnwritten(place)                                    ? colors.muted
        : !one.isLone(place.index)                              ? (isGenerated(place) ? colors.generated : colors.ink)
        : one.pairs[static_cast<std::size_t>(place.index)].here ? colors.more
                                                                : colors.less;
}

FigureHit MatrixContent::hitOf(TokenPlace place, const QString& name) const
{
    const bool isRow = place.side == TokenSide::Rows;
    FigureHit hit;
    hit.part = isRow ? FigureHit::Part::RowLabel : FigureHit::Part::ColumnLabel;
    (isRow ? hit.row : hit.column) = place.index;
    (isRow ? hit.rowToken : hit.columnToken) = axis(place.side).token(place.index);
    const QString note = isUnwritten(place) ? Figure::tr("not written: what would come next")
        : isRow                             ? rowNote
        : map.columns.isSink(place.index)   ? Figure::tr("the part of each row that no token gets")
                                            : QString();
    hit.text = note.isEmpty() ? name : name + QStringLiteral(": ") + note;
    if (isRow)
        hit.text += askedBy(place.index);
    return hit;
}

// A number alone does not say of what it is one.
QString MatrixFigure::nameOf(TokenPlace place) const
{
    const QString label = m_all->names(place.side).value(place.index);
    return m_content.hasNumbers(place.side) ? m_content.axisName(place.side) + QLatin1Char(' ') + label : label;
}

// --- labels

// Every how many cells a label of this size fits.
int MatrixFigure::stride(double labelSize, double cellSize, bool numbered)
{
    const int least = std::max(1, static_cast<int>(std::ceil(labelSize / cellSize - 1e-9)));
    if (!numbered || least == 1)
        return least;
    for (int power = 1; power < 1000000; power *= 10) {
        for (const int factor : {1, 2, 5}) {
            if (factor * power >= least)
                return factor * power;
        }
    }
    return least;
}

QRectF MatrixFigure::firstCell(TokenPlace place) const
{
    return m_empty                      ? QRectF()
        : place.side == TokenSide::Rows ? cellRect(place.index, m_columns.front())
                                        : cellRect(m_rows.front(), place.index);
}

double MatrixFigure::labelLength(TokenPlace place) const
{
    return std::min(m_all->labelWidth(place), m_columnLabelRoom);
}

bool MatrixFigure::isLabelled(TokenPlace place) const
{
    const bool isRow = place.side == TokenSide::Rows;
    const double height = QFontMetricsF(m_style.font).height();
    const double across = isRow || m_columnAngle == 90 ? height * touching
        : m_columnAngle == 45                          ? height * touching / slant()
                                                       : m_columnLabelRoom + matrixGap;
    const QRectF cell = firstCell(place);
    const double seen = isRow ? cell.height() : cell.width();
    const double whole = isRow ? m_cellHeight : m_cellWidth;
    return !cell.isNull() && place.index < m_content.labels(place.side).size() && seen >= whole * 0.5
        && place.index % stride(across, whole, m_content.hasNumbers(place.side)) == 0;
}

MatrixFigure::Label MatrixFigure::labelOf(TokenPlace place) const
{
    const double height = QFontMetricsF(m_style.font).height();
    if (place.side == TokenSide::Rows)
        return {{-m_rowLabelWidth, -height / 2, m_rowLabelWidth, height},
                Qt::AlignRight,
                {m_cells.left() - matrixGap, rowStart(place.index + 0.5)}};
    const double room = m_columnLabelRoom + 0.1;
    const bool flat = m_columnAngle == 0;
    return {{flat ? -room / 2 : 0, flat ? -height : -height / 2, room, height},
            flat ? Qt::AlignHCenter : Qt::AlignLeft,
            {columnStart(place.index + 0.5), m_cells.top() - matrixGap},
            m_columnAngle};
}

QRectF MatrixFigure::rowLabelRect(int row) const
{
    const Label label = labelOf({TokenSide::Rows, row});
    return isLabelled({TokenSide::Rows, row}) ? label.room.translated(label.at) : QRectF();
}

QPolygonF MatrixFigure::columnLabelShape(int column) const
{
    const TokenPlace place{TokenSide::Columns, column};
    if (!isLabelled(place))
        return {};
    const Label label = labelOf(place);
    const double length = labelLength(place);
    QTransform turn = QTransform::fromTranslate(label.at.x(), label.at.y());
    turn.rotate(-label.angle);
    return turn.map(
        QPolygonF(QRectF(label.angle == 0 ? -length / 2 : 0, label.room.top(), length, label.room.height())));
}

void MatrixFigure::paintLabel(QPainter& painter, TokenPlace place, bool strong) const
{
    const QFont& font = strong ? m_style.strong : m_content.isGenerated(place) ? m_style.generated : m_style.font;
    const QColor ink = m_content.inkOf(place, m_style.colors);
    const Label label = labelOf(place);
    if (label.angle == 45 && painter.paintEngine()->type() == QPaintEngine::Pdf)
        return paintSlantedPdfLabel(painter, place, font, ink);
    const SavedPainter saved(painter);
    painter.translate(label.at);
    painter.rotate(-label.angle);
    drawLabel(painter, font, ink, label.room, label.side, m_all->names(place.side).value(place.index));
}

// Readers of PDF take slanted text apart, letter by letter. Labels are outlines there; to be found and copied, they
// stand once more, unseen and level, side by side where their columns begin.
void MatrixFigure::paintSlantedPdfLabel(QPainter& painter, TokenPlace place, const QFont& font, const QColor& ink) const
{
    const Label label = labelOf(place);
    const QString text = m_all->names(place.side).value(place.index);
    const QFontMetricsF metrics(font);
    QPainterPath outline;
    outline.addText(0, (metrics.ascent() - metrics.descent()) / 2, font, elided(text, metrics, label.room.width()));
    {
        const SavedPainter saved(painter);
        painter.translate(label.at);
        painter.rotate(-label.angle);
        painter.fillPath(outline, ink);
    }
    const SavedPainter saved(painter);
    painter.translate(label.at);
    const double scale = std::min(1.0, m_cellWidth * 0.75 / std::max(1.0, metrics.horizontalAdvance(text)));
    painter.scale(scale, scale);
    painter.setFont(font);
    painter.setPen(Qt::transparent);
    painter.drawText(QPointF(0, 0), text);
}

// Whether a label would touch one that has to be there.
bool MatrixFigure::isNear(TokenSide side, int index, int needed) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const double room = side == TokenSide::Rows || m_columnAngle == 90 ? height
        : m_columnAngle == 45                                          ? height * std::sqrt(2.0)
                              : (labelLength({side, index}) + labelLength({side, needed})) / 2 + matrixGap;
    return std::abs(index - needed) * (side == TokenSide::Rows ? m_cellHeight : m_cellWidth) < room * touching;
}

// Labels that have to be there, as far as they have room beside each other: of what is marked and pointed at always,
// then of what was found.
std::vector<int> MatrixFigure::needed(TokenSide side, const Highlight& highlight) const
{
    const bool isRow = side == TokenSide::Rows;
    std::vector<int> needed;
    for (const auto& index :
         {isRow ? m_content.markedRow : m_content.markedColumn, isRow ? highlight.row : highlight.column}) {
        if (index && std::ranges::binary_search(seen(side), *index))
            needed.push_back(*index);
    }
    for (const int index : isRow ? highlight.foundRows : highlight.foundColumns) {
        const bool free = std::ranges::none_of(needed, [&](int other) { return isNear(side, index, other); });
        if (free && std::ranges::binary_search(seen(side), index))
            needed.push_back(index);
    }
    return needed;
}

void MatrixFigure::paintLabels(QPainter& painter, const Highlight& highlight) const
{
    for (const TokenSide side : sides) {
        const std::vector<int> first = needed(side, highlight);
        for (const int index : seen(side)) {
            const bool free = std::ranges::none_of(first, [&](int other) { return isNear(side, index, other); });
            if (free && isLabelled({side, index}))
                paintLabel(painter, {side, index}, false);
        }
    }
    for (const TokenSide side : sides) {
        const bool isRow = side == TokenSide::Rows;
        const std::vector<int>& found = isRow ? highlight.foundRows : highlight.foundColumns;
        for (const int index : needed(side, highlight)) {
            const TokenPlace place{side, index};
            const Label label = labelOf(place);
            QRectF ground = label.room;
            if (!isRow)
                ground.setWidth(labelLength(place));
            if (label.side == Qt::AlignHCenter)
                ground.moveLeft(-ground.width() / 2);
            {
                const SavedPainter saved(painter);
                painter.translate(label.at);
                painter.rotate(-label.angle);
                painter.fillRect(ground.adjusted(-1, 0, 1, 0),
                                 std::ranges::binary_search(found, index) ? foundGround(m_style.colors)
                                                                          : m_style.colors.background);
            }
            paintLabel(painter, place, true);
        }
    }
}

void MatrixFigure::paintAxisNames(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    const auto inkOf = [this](AttentionRole role) {
        return role == AttentionRole::Other ? m_style.colors.muted : m_style.colors.ofRole(role);
    };
    // In the middle of the labels: slanted ones stand right of their columns.
    const double bottom = m_cells.top() - matrixGap - m_columnLabelHeight - matrixGap / 2;
    const double width = std::max(m_cells.width(), metrics.horizontalAdvance(m_content.columnAxis));
    drawLabel(painter, m_style.small, inkOf(m_content.columnRole),
              {m_cells.left(), bottom - metrics.height(), width, metrics.height()},
              m_cells.width() < width ? Qt::AlignLeft : Qt::AlignHCenter, m_content.columnAxis);
    const SavedPainter saved(painter);
    const double length = std::max(m_cells.height(), metrics.horizontalAdvance(m_content.rowAxis));
    painter.translate(m_cells.left() - matrixGap - m_rowLabelWidth - matrixGap - metrics.height(),
                      std::min(m_cells.center().y(), m_size.height() - 1 - length / 2));
    painter.rotate(-90);
    if (length <= m_size.height())
        drawLabel(painter, m_style.small, inkOf(m_content.rowRole), {-length / 2, 0, length, metrics.height()},
                  Qt::AlignHCenter, m_content.rowAxis);
}

// --- bars of rows and columns

double MatrixFigure::marginRoom() const
{
    const bool has = !m_all->margins(TokenSide::Rows).empty();
    return has ? longestMargin + matrixGap + QFontMetricsF(m_style.small).height() : 0;
}

QString MatrixFigure::marginText(QPointF point, TokenPlace place) const
{
    const double beside = place.side == TokenSide::Rows ? point.x() - m_cells.right() : point.y() - m_cells.bottom();
    const std::vector<double>& margins = m_all->margins(place.side);
    if (margins.empty() || beside < 0 || beside >= longestMargin + matrixGap)
        return {};
    return QStringLiteral("%1   %2: %3")
        .arg(nameOf(place), marginName(m_spec.margins), decimal(margins[static_cast<std::size_t>(place.index)], 4));
}

// Rows and columns have scales of their own: a column may have a sum of many rows.
void MatrixFigure::paintMargins(QPainter& painter) const
{
    const double line = QFontMetricsF(m_style.small).height();
    for (const TokenSide side : sides) {
        const std::vector<double>& margins = m_all->margins(side);
        if (margins.empty())
            return;
        const bool isRow = side == TokenSide::Rows;
        const double most = std::max(1e-12, std::ranges::max(margins));
        {
            const SavedPainter clipped(painter);
            painter.setClipRect(m_cells.adjusted(0, 0, marginRoom(), marginRoom()));
            for (const int index : seen(side)) {
                ThreadStop::check();
                const QRectF cell = firstCell({side, index});
                const double room = isRow ? cell.height() : cell.width();
                const double thick = room < leastThickness ? room : room * 0.7;
                const double length = longestMargin * margins[static_cast<std::size_t>(index)] / most;
                painter.fillRect(
                    isRow ? QRectF(m_cells.right() + matrixGap / 2, cell.center().y() - thick / 2, length, thick)
                          : QRectF(cell.center().x() - thick / 2, m_cells.bottom() + matrixGap / 2, thick, length),
                    m_style.colors.bar);
            }
        }
        const SavedPainter saved(painter);
        const double beyond = matrixGap / 2 + longestMargin;
        painter.translate(isRow ? m_cells.topRight() + QPointF(beyond, 0) : m_cells.bottomLeft() + QPointF(0, beyond));
        painter.rotate(isRow ? 90 : 0);
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {0, isRow ? -line : 0, std::max(isRow ? m_cells.height() : m_cells.width(), 120.0), line},
                  Qt::AlignLeft,
                  QStringLiteral("%1, \u2264 %2").arg(marginName(m_spec.margins), shortDecimal(most, 2)));
    }
}

} // namespace attn::ui
