// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/rotation_figure.h"

#include "analysis/position_schemes.h"
#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostDials = 6;

double degrees(double radians)
{
    return radians * 180 / std::numbers::pi;
}

class RotationFigure final : public StyledFigure
{
public:
    RotationFigure(const FigureSpec& spec, RotationContent content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(std::move(content))
    {
        m_across = std::clamp(indexSize(m_content.pairs), 1, 3);
        m_top = margin + headerHeight() + margin;
        const double text = 2 * QFontMetricsF(m_style.small).height() + margin;
        const double across = (m_size.width() - 2 * margin) / m_across;
        if (m_size.height() <= 0) {
            m_radius = std::max(10.0, across / 2 - margin);
            m_size.setHeight(m_top + rows() * (2 * m_radius + margin + text) + margin);
        }
        m_down = (m_size.height() - m_top - margin) / std::max(1, rows());
        m_radius = std::clamp(std::min(across / 2 - margin, (m_down - text - margin) / 2), 10.0, 140.0);
        m_down = std::min(m_down, 2 * m_radius + text + 2 * margin);
        const int to = m_content.position + m_content.offset;
        m_title = {tr("Each frequency turns by its own angle"),
                   tr("thin hand: position %1; thick hand: position %2; sine to the right, cosine up")
                       .arg(m_content.position)
                       .arg(to)};
        QStringList parts;
        for (int i = 0; i < indexSize(m_content.pairs); ++i)
            parts << textOf(i);
        m_description = tr("From position %1 to %2: ").arg(m_content.position).arg(to)
            + parts.join(QStringLiteral("; ")) + QLatin1Char('.');
    }

    QRectF cellRect(int row, int column) const override // of a dial with its text
    {
        const int index = row * m_across + column;
        if (row < 0 || column < 0 || column >= m_across || index >= indexSize(m_content.pairs))
            return {};
        const double across = (m_size.width() - 2 * margin) / m_across;
        return {margin + column * across, m_top + row * m_down, across, m_down};
    }

    int rows() const override { return (indexSize(m_content.pairs) + m_across - 1) / m_across; }
    int columns() const override { return m_across; }

protected:
    FigureHit hitOf(int row, int column) const override
    {
        const int index = row * m_across + column;
        return cellHit(row, column, m_content.offset * frequency(index), textOf(index));
    }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        for (int i = 0; i < indexSize(m_content.pairs); ++i)
            paintDial(painter, i, highlight.isAt({i / m_across, i % m_across}));
    }

private:
    // Where the hand of a position points to, on the dial of entry `index` of the pairs.
    QPointF tip(int index, int position) const
    {
        const double angle = position * frequency(index);
        return centre(index) + m_radius * QPointF(std::sin(angle), -std::cos(angle));
    }

    QPointF centre(int index) const
    {
        const QRectF cell = cellRect(index / m_across, index % m_across);
        return {cell.center().x(), cell.top() + m_radius + margin / 2};
    }

    double frequency(int index) const { return positionFrequency(m_content.pairs[index], m_content.width); }

    QString textOf(int index) const
    {
        const double turned = m_content.offset * frequency(index);
        return tr("pair %1, ω = %2: turned by kω = %3 rad (%4°)")
            .arg(m_content.pairs[index])
            .arg(significant(frequency(index), 3), significant(turned, 3), significant(degrees(turned), 3));
    }

    void paintDial(QPainter& painter, int index, bool pointed) const
    {
        const QPointF middle = centre(index);
        const QRectF dial(middle - QPointF(m_radius, m_radius), QSizeF(2 * m_radius, 2 * m_radius));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(pointed ? m_style.colors.cursor : m_style.colors.grid, pointed ? 2 : 1));
        painter.drawEllipse(dial);
        // The way from p to p + k; whole turns lie on each other. Qt counts angles from the right, against the clock.
        const double from = m_content.position * frequency(index);
        const double turned = m_content.offset * frequency(index);
        QColor way = m_style.colors.accent;
        way.setAlpha(70);
        const double part = std::min(turned, 2 * std::numbers::pi);
        const double inner = m_radius * 0.45;
        painter.setPen(Qt::NoPen);
        painter.setBrush(way);
        painter.drawPie(QRectF(middle - QPointF(inner, inner), QSizeF(2 * inner, 2 * inner)),
                        static_cast<int>(std::lround(16 * std::fmod(90 - degrees(from), 360))),
                        static_cast<int>(std::lround(-16 * degrees(part))));
        const auto hand = [&](int position, const QColor& ink, double width) {
            const QPointF end = tip(index, position);
            painter.setPen(QPen(ink, width, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(middle, end);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            painter.drawEllipse(end, width + 2, width + 2);
        };
        hand(m_content.position, m_style.colors.muted, 1.5);
        hand(m_content.position + m_content.offset, m_style.colors.accent, 2);
        const QRectF cell = cellRect(index / m_across, index % m_across);
        const double line = QFontMetricsF(m_style.small).height();
        painter.setFont(m_style.small);
        painter.setPen(m_style.colors.ink);
        const double top = dial.bottom() + margin / 2;
        drawLabel(painter, {cell.left(), top, cell.width(), line}, Qt::AlignHCenter,
                  tr("pair %1, ω = %2").arg(m_content.pairs[index]).arg(significant(frequency(index), 3)));
        painter.setPen(m_style.colors.accent);
        drawLabel(painter, {cell.left(), top + line, cell.width(), line}, Qt::AlignHCenter,
                  tr("kω = %1°").arg(significant(degrees(turned), 3)));
    }

    RotationContent m_content;
    int m_across = 3;
    double m_top = 0; // of the dials
    double m_down = 0; // height of a row of dials
    double m_radius = 0;
};

} // namespace

std::vector<int> rotationPairs(int width)
{
    std::vector<int> pairs;
    const int last = width / 2 - 1;
    for (int i = 0; i < mostDials; ++i) {
        // Closer together where they are fast: the slow ones hardly move.
        const int pair = static_cast<int>(std::lround(last * std::pow(static_cast<double>(i) / (mostDials - 1), 1.6)));
        if (pairs.empty() || pairs.back() != pair)
            pairs.push_back(pair);
    }
    return pairs;
}

std::unique_ptr<const Figure> rotationFigure(const FigureSpec& spec, const RotationContent& content, QSizeF size)
{
    return std::make_unique<RotationFigure>(spec, content, size);
}

} // namespace attn::ui
