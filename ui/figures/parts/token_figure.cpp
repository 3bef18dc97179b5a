// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/token_figure.h"

#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attn::ui {

TokenFigure::TokenFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : StyledFigure(spec, size)
    , m_spec(spec)
    , m_content(std::move(content))
{
    m_title = m_content.title;
    m_description = m_content.description;
    if (rows() == 0 || columns() == 0) {
        m_empty = m_content.empty;
        return;
    }
    for (const int token : m_spec.picked) {
        std::optional<int> found;
        for (int index = 0; index < count(pickSide()); ++index) {
            const std::optional<int> name = nameOf({pickSide(), index});
            if (name == token || (m_spec.words && name && *name <= token))
                found = index;
        }
        if (found && std::find(m_picked.begin(), m_picked.end(), *found) == m_picked.end())
            m_picked.push_back(*found);
    }
}

std::optional<int> TokenFigure::nameOf(TokenPlace place) const
{
    const MapAxis& axis = m_content.axis(place.side);
    return axis.kind == AttentionAxis::Tokens ? axis.token(place.index) : std::optional(place.index);
}

QString TokenFigure::label(TokenPlace place) const
{
    return m_content.labels(place.side).value(place.index);
}

bool TokenFigure::isPicked(TokenPlace place) const
{
    return place.side == pickSide() && std::find(m_picked.begin(), m_picked.end(), place.index) != m_picked.end();
}

FigureHit TokenFigure::hitOf(TokenPlace place) const
{
    FigureHit hit = m_content.hitOf(place, label(place));
    if (const QString values = valuesOf(place); !values.isEmpty())
        hit.text += QStringLiteral("   ") + values;
    return hit;
}

QString TokenFigure::weightText(int row, int column) const
{
    if (m_content.cellText)
        return m_content.cellText(row, column);
    const double value = m_content.map.at(row, column);
    return numberText(value, m_content.decimalOf(value, 4));
}

FigureTable TokenFigure::table() const
{
    FigureTable table = StyledFigure::table();
    if (m_empty)
        return table;
    const auto placeOf = [](FigureCell cell) {
        return cell.row == FigureTable::header ? TokenPlace{TokenSide::Columns, cell.column}
                                               : TokenPlace{TokenSide::Rows, cell.row};
    };
    table.text = [=, this](FigureCell cell) -> QString {
        return FigureTable::isHeader(cell)                 ? label(placeOf(cell))
            : m_content.map.isBlank(cell.row, cell.column) ? tr("not visible to this row")
                                                           : weightText(cell.row, cell.column);
    };
    table.tip = [=, this, text = table.text](FigureCell cell) -> QString {
        return FigureTable::isHeader(cell)
            ? hitOf(placeOf(cell)).text
            : label({TokenSide::Rows, cell.row}) + QStringLiteral(" \u2190 ") + label({TokenSide::Columns, cell.column})
                + QStringLiteral("   ") + text(cell) + m_content.askedBy(cell.row);
    };
    table.rect = [=, this](FigureCell cell) { return rectOf(placeOf(cell)); };
    (pickSide() == TokenSide::Rows ? table.chosenRows : table.chosenColumns) = m_picked;
    return table;
}

std::optional<TokenPlace> TokenFigure::placeOf(const FigureHit& hit)
{
    if (hit.part == FigureHit::Part::RowLabel && hit.row)
        return TokenPlace{TokenSide::Rows, *hit.row};
    if (hit.part == FigureHit::Part::ColumnLabel && hit.column)
        return TokenPlace{TokenSide::Columns, *hit.column};
    return std::nullopt;
}

void TokenFigure::addMark(TokenMark mark)
{
    std::erase_if(mark.boxes, [](const QRectF& box) { return box.isNull(); });
    if (mark.boxes.empty()) // it has no place
        return;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const auto& index = mark.indices[side];
        auto& all = m_markOf[side];
        if (index && *index >= indexSize(all))
            all.resize(static_cast<std::size_t>(*index) + 1, -1);
        if (index)
            all[static_cast<std::size_t>(*index)] = indexSize(m_marks);
    }
    m_marks.push_back(std::move(mark));
}

void TokenFigure::addMarks(const RunningText& text, QPointF origin, TokenSide side)
{
    for (int piece = 0; piece < text.count(); ++piece) {
        TokenMark mark;
        mark.indices[side == TokenSide::Rows ? 0 : 1] = piece;
        mark.boxes = text.rects(piece, origin);
        addMark(std::move(mark));
    }
}

const TokenMark* TokenFigure::markOf(TokenPlace place) const
{
    const std::vector<int>& all = m_markOf[place.side == TokenSide::Rows ? 0 : 1];
    const int mark = place.index >= 0 && place.index < indexSize(all) ? all[static_cast<std::size_t>(place.index)] : -1;
    return mark < 0 ? nullptr : &m_marks[static_cast<std::size_t>(mark)];
}

TokenPlace TokenFigure::placeOf(const TokenMark& mark) const
{
    const TokenSide side = mark.on(pickSide()) ? pickSide() : opposite(pickSide());
    return {side, mark.on(side).value_or(-1)};
}

bool TokenFigure::isWritten(const TokenMark& mark) const
{
    return mark.on(TokenSide::Rows).value_or(-1) < written(TokenSide::Rows)
        && mark.on(TokenSide::Columns).value_or(-1) < written(TokenSide::Columns);
}

FigureHit TokenFigure::hitTest(QPointF point) const
{
    constexpr double reach = 2; // beside a piece of text that still counts as it
    for (const double beside : {0.0, m_flow == Flow::Lists ? 0.0 : reach}) {
        for (const TokenMark& mark : m_marks) {
            const bool isAt = std::ranges::any_of(mark.boxes, [&](const QRectF& box) {
                return box.adjusted(-beside, -beside, beside, beside).contains(point);
            });
            if (isAt && isWritten(mark) && (m_room.isNull() || m_room.contains(point)))
                return hitOf(placeOf(mark));
        }
    }
    return {};
}

std::vector<TokenPlace> TokenFigure::places() const
{
    std::vector<TokenPlace> all;
    for (const TokenMark& mark : m_marks) {
        if (isWritten(mark))
            all.push_back(placeOf(mark));
    }
    return all;
}

QRectF TokenFigure::rectOf(TokenPlace place) const
{
    const TokenMark* const mark = markOf(place);
    return mark == nullptr ? QRectF() : mark->boxes.front();
}

void TokenFigure::paintOutlines(QPainter& painter, const Highlight& highlight, const std::vector<int>& sources) const
{
    painter.setBrush(Qt::NoBrush);
    for (const TokenMark& mark : m_marks) {
        const auto source = mark.on(pickSide());
        const bool isSource = source && std::ranges::find(sources, *source) != sources.end();
        const TokenPlace place = placeOf(mark);
        const bool isPointed = place.index == (place.side == TokenSide::Rows ? highlight.row : highlight.column);
        if (!isWritten(mark) || !(isSource || isPointed))
            continue;
        for (const QRectF& box : mark.boxes) {
            if (mark.isArea) { // is seen on every ground
                painter.setPen(QPen(m_style.colors.background, 3));
                painter.drawRect(box);
            }
            painter.setPen(QPen(isSource ? m_style.colors.accent : m_style.colors.cursor, 1.5));
            if (mark.isArea)
                painter.drawRect(box);
            else
                painter.drawRoundedRect(box.adjusted(-1, 0, 1, 0), 3, 3);
        }
    }
}

void TokenFigure::paintUnderlines(QPainter& painter) const
{
    for (const TokenMark& mark : m_marks) {
        const QColor ink = m_content.inkOf(placeOf(mark), m_style.colors);
        if (ink == m_style.colors.ink || !isWritten(mark))
            continue;
        painter.setPen(QPen(ink, 1.5));
        for (const QRectF& box : mark.boxes)
            painter.drawLine(box.bottomLeft(), box.bottomRight());
    }
}

std::optional<TokenPlace> TokenFigure::neighbour(std::optional<TokenPlace> from, QPoint toward) const
{
    const std::vector<TokenPlace> all = places();
    if (all.empty())
        return std::nullopt;
    const auto at = from ? std::find(all.begin(), all.end(), *from) : all.end();
    if (at == all.end())
        return all.front();
    const QRectF here = rectOf(*from);
    const bool across = toward.x() != 0;
    std::optional<TokenPlace> best;
    double least = std::numeric_limits<double>::infinity();
    for (const TokenPlace& place : all) {
        const QPointF way = rectOf(place).center() - here.center();
        const double along = across ? way.x() * toward.x() : way.y() * toward.y();
        const double beside = std::abs(across ? way.y() : way.x());
        // The next in the same line; from a list to what is nearest in the other.
        const bool inLine = beside < here.height() * 0.5;
        if (along <= 0.5 || (across && !inLine && (m_flow != Flow::Lists || place.side == from->side)))
            continue;
        const double cost = along + beside * (across && inLine ? 0 : 4);
        if (cost < least) {
            least = cost;
            best = place;
        }
    }
    if (best || m_flow == Flow::Lists || !across)
        return best ? best : from;
    const bool forth = (toward.x() > 0) == (m_flow == Flow::Text); // to the line after or before
    if (forth ? at + 1 == all.end() : at == all.begin())
        return from;
    return forth ? *(at + 1) : *(at - 1);
}

} // namespace attn::ui
