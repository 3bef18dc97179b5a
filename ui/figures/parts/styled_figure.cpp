// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/styled_figure.h"

#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"

#include <QPainter>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr double headerTop = 10;
constexpr double closeTitles = 2;
constexpr double apartTitles = 6; // where one is a formula
constexpr double lowHeight = 400; // of a figure that has no room for a line of its own for the subtitle

} // namespace

StyledFigure::StyledFigure(const FigureSpec& look, QSizeF size)
    : m_style(look)
    , m_size(size)
    , m_titled(!look.noTitle)
{
}

void StyledFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    painter.setBrush(Qt::NoBrush);
    if (m_empty)
        return paintEmpty(painter, *m_empty);
    if (m_titled)
        paintHeader(painter);
    draw(painter, highlight);
}

FigureHit StyledFigure::hitTest(QPointF point) const
{
    for (int row = 0; row < rows(); ++row) {
        for (int column = 0; column < columns(); ++column) {
            if (cellRect(row, column).contains(point))
                return hitOf(row, column);
        }
    }
    return {};
}

QString StyledFigure::cellTip(FigureCell cell) const
{
    const QString text = hitOf(cell.row, cell.column).text;
    return text.isEmpty() ? Figure::cellTip(cell) : text;
}

FigureHit StyledFigure::cellHit(std::optional<int> row, int column, double value, const QString& text)
{
    FigureHit hit;
    hit.part = FigureHit::Part::Cell;
    hit.row = row;
    hit.column = column;
    hit.value = static_cast<float>(value);
    hit.text = text;
    return hit;
}

bool StyledFigure::hasNothing()
{
    if (m_empty && m_size.height() <= 0)
        m_size.setHeight(m_size.width() * 0.3);
    return m_empty.has_value();
}

double StyledFigure::headerHeight() const
{
    if (!m_titled)
        return 0;
    return isSubtitleBeside() ? titleHeight() : titleHeight() + betweenTitles() + subtitleHeight();
}

QRectF StyledFigure::exposed(const QPainter& painter) const
{
    const QRectF all(QPointF(), m_size);
    return painter.hasClipping() ? all & painter.clipBoundingRect() : all;
}

bool StyledFigure::isSubtitleBeside() const
{
    const bool plain = m_title.room <= 0 && m_title.formula.empty() && m_title.below.empty();
    return plain && m_size.height() > 0 && m_size.height() < lowHeight
        && m_titleLeft + QFontMetricsF(m_style.title).horizontalAdvance(m_title.title) + margin
            + QFontMetricsF(m_style.small).horizontalAdvance(m_title.subtitle)
        <= m_size.width() - margin;
}

double StyledFigure::betweenTitles() const
{
    return m_title.room > 0 || !m_title.formula.empty() || !m_title.below.empty() ? apartTitles : closeTitles;
}

double StyledFigure::titleHeight() const
{
    const double line = QFontMetricsF(m_style.title).height();
    return std::max({line, m_title.room, m_title.formula.empty() ? 0 : titleFormula().size().height()});
}

double StyledFigure::subtitleHeight() const
{
    const double line = QFontMetricsF(m_style.small).height();
    return m_title.below.empty() ? line : std::max(line, formulaBelow().size().height());
}

void StyledFigure::paintHeader(QPainter& painter) const
{
    const double width = m_size.width() - margin - m_titleLeft;
    const QRectF first(m_titleLeft, headerTop, width, titleHeight());
    const bool isBeside = isSubtitleBeside();
    const double used = isBeside ? QFontMetricsF(m_style.title).horizontalAdvance(m_title.title) + margin : 0;
    const QRectF second = isBeside ? first.adjusted(used, 2, 0, 0)
                                   : QRectF(m_titleLeft, first.bottom() + betweenTitles(), width, subtitleHeight());
    if (m_title.formula.empty())
        drawLabel(painter, m_style.title, m_style.colors.ink, first, Qt::AlignLeft, m_title.title);
    else
        titleFormula().paintIn(painter, first, m_style.colors, m_style.colors.ink);
    if (m_title.below.empty())
        drawLabel(painter, m_style.small, m_style.colors.muted, second, Qt::AlignLeft, m_title.subtitle);
    else
        formulaBelow().paintIn(painter, second, m_style.colors, m_style.colors.muted);
}

void StyledFigure::paintGrid(QPainter& painter, const QRectF& plot, QPointF least, QPointF most, double below) const
{
    const double line = QFontMetricsF(m_style.small).height();
    const std::vector<double> across = ticks(least.x(), most.x());
    for (const double tick : across) {
        const double x = plot.left() + (tick - least.x()) / (most.x() - least.x()) * plot.width();
        painter.setPen(QPen(m_style.colors.blank, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        drawLabel(painter, m_style.small, m_style.colors.muted, {x - 40, plot.bottom() + below, 80, line},
                  Qt::AlignHCenter, tickText(tick, across));
    }
    const std::vector<double> up = ticks(least.y(), most.y());
    for (const double tick : up) {
        const double y = plot.bottom() - (tick - least.y()) / (most.y() - least.y()) * plot.height();
        painter.setPen(QPen(m_style.colors.blank, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        drawLabel(painter, m_style.small, m_style.colors.muted, {0, y - line / 2, plot.left() - 4, line},
                  Qt::AlignRight, tickText(tick, up));
    }
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawRect(plot);
}

void StyledFigure::paintEmpty(QPainter& painter, const QString& text) const
{
    painter.setFont(m_style.font);
    painter.setPen(m_style.colors.muted);
    const double side = std::max(margin, (m_size.width() - 420) / 2);
    painter.drawText(QRectF(QPointF(), m_size).adjusted(side, margin, -side, -margin),
                     static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, text);
}

} // namespace attn::ui
