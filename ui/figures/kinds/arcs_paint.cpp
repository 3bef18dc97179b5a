// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "base/thread_stop.h"
#include "figures/kinds/arcs_figure.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace attn::ui {

namespace {

constexpr double leastEdited = 0.45; // opacity of a line that was edited, whatever its weight
constexpr double fadedOpacity = 0.1; // of lines that are not the pointed-at token's
constexpr double hushedOpacity = 0.4; // likewise, where nothing is pointed at
constexpr double mostDots = 16e6; // of a picture of the lines

} // namespace

void ArcsFigure::draw(QPainter& painter, const Highlight& highlight) const
{
    paintNames(painter);
    const std::vector<TokenPlace> alone = isolated(highlight);
    paintLines(painter, alone);
    if (!m_noLines.isEmpty()) {
        painter.setFont(m_style.font);
        painter.setPen(m_style.colors.muted);
        painter.drawText(
            QRectF(m_left + arcGap, m_top, m_right - m_left - 2 * arcGap, m_size.height() - m_top - margin),
            static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_noLines);
    }
    paintWeights(painter, alone);
    for (const Side side : {Side::Rows, Side::Columns}) {
        if (isText())
            paintText(painter, side, highlight);
        else
            paintLabels(painter, side, highlight);
    }
    if (!m_bar.box.isNull())
        m_bar.paint(painter, m_style);
}

void ArcsFigure::strokeLine(QPainter& painter, const Line& line, double opacity) const
{
    ThreadStop::check();
    const HeadWeights& head = m_heads[line.head];
    const bool ofStep = line.row == m_content.markedRow && !m_content.map.isSigned && !hasBoxes();
    QColor color = ofStep ? m_style.colors.accent : inkOf(head, weight(head, Side::Rows, line.row, line.column));
    const double least = line.edit == CellMark::Unedited ? 0.08 : leastEdited;
    color.setAlphaF(static_cast<float>((least + (0.95 - least) * line.strength) * opacity));
    painter.setPen(penOf(line.edit, color, widthOf(line)));
    painter.drawPath(pathOf(line));
}

void ArcsFigure::strokeNoNumbers(QPainter& painter, const std::vector<Line>& lines, double opacity) const
{
    if (lines.empty())
        return;
    QPen pen = noNumberPen(m_style);
    QColor color = pen.color();
    color.setAlphaF(static_cast<float>(opacity));
    pen.setColor(color);
    painter.setPen(pen);
    for (const Line& line : lines) {
        ThreadStop::check();
        painter.drawPath(pathOf(line));
    }
}

QPainterPath ArcsFigure::pathOf(const Line& line) const
{
    const QPointF from = anchor(Side::Rows, line.row);
    const QPointF to = anchor(Side::Columns, line.column);
    const QPointF bend = isText() ? QPointF(0, (to.y() - from.y()) * 0.42) : QPointF((to.x() - from.x()) * 0.42, 0);
    QPainterPath path(from);
    path.cubicTo(from + bend, to - bend, to);
    return path;
}

QPen ArcsFigure::penOf(CellMark edit, const QColor& color, double width)
{
    return edit == CellMark::Unedited ? QPen(color, width, Qt::SolidLine, Qt::RoundCap)
        : edit == CellMark::Changed   ? QPen(color, width, Qt::DashLine, Qt::FlatCap)
                                      : QPen(color, width, Qt::DotLine, Qt::FlatCap);
}

void ArcsFigure::paintNames(QPainter& painter) const
{
    const double height = QFontMetricsF(m_style.small).height();
    const double y = m_top - arcGap / 2 - height;
    const QColor& muted = m_style.colors.muted;
    double legend = m_left;
    if (isText() && !m_spec.noAxisNames) {
        drawLabel(painter, m_style.small, muted, {m_left, y, m_right - m_left, height}, Qt::AlignLeft,
                  m_content.rowAxis);
        drawLabel(painter, m_style.small, muted, {m_left, m_size.height() - margin - height, m_right - m_left, height},
                  Qt::AlignLeft, m_content.columnAxis);
        legend += QFontMetricsF(m_style.small).horizontalAdvance(m_content.rowAxis) + 3 * arcGap;
    } else if (!m_spec.noAxisNames) {
        const double begin = m_right + arcGap + 3;
        const double end = m_bar.box.isNull() ? m_size.width() - margin : m_bar.box.left() - arcGap;
        drawLabel(painter, m_style.small, muted, {margin, y, m_left - arcGap - 3 - margin, height}, Qt::AlignRight,
                  m_content.rowAxis);
        drawLabel(painter, m_style.small, muted, {begin, y, end - begin, height}, Qt::AlignLeft, m_content.columnAxis);
    }
    if (m_spec.noLegend)
        return;
    if (m_content.map.isSigned)
        paintSigns(painter, y);
    else
        paintLegend(painter, legend, y, height);
}

void ArcsFigure::paintLegend(QPainter& painter, double left, double top, double height) const
{
    constexpr double sample = 24;
    const QFontMetricsF metrics(m_style.small);
    for (const HeadWeights& head : m_heads) {
        if (!head.head)
            continue;
        const QString name = QString::number(*head.head);
        const double width = height * 0.6 + 3 + metrics.horizontalAdvance(name) + arcGap;
        if (left + width > m_right)
            break;
        painter.fillRect(QRectF(left, top + height * 0.2, height * 0.6, height * 0.6), head.color);
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {left + height * 0.6 + 3, top, width - height * 0.6, height}, Qt::AlignLeft, name);
        left += width;
    }
    for (const auto& [mark, state] :
         {std::pair(CellMark::Changed, CellState::Edited), std::pair(CellMark::Hidden, CellState::Hidden)}) {
        const double width = sample + arcGap / 2 + metrics.horizontalAdvance(markName(mark)) + arcGap;
        const bool has = std::any_of(m_heads.begin(), m_heads.end(),
                                     [state = state](const HeadWeights& head) { return head.map.count(state) > 0; });
        if (!has || left + width > m_right)
            continue;
        painter.setPen(penOf(mark, m_style.colors.bar, 1.6));
        painter.drawLine(QPointF(left, top + height / 2), QPointF(left + sample, top + height / 2));
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {left + sample + arcGap / 2, top, width - sample, height}, Qt::AlignLeft, markName(mark));
        left += width + arcGap;
    }
}

void ArcsFigure::prepare(double dots) const
{
    if (!m_empty && picked().empty() && fitsPicture(dots))
        linePicture(dots);
}

bool ArcsFigure::fitsPicture(double scale) const
{
    return !m_size.isEmpty() && m_size.width() * m_size.height() * scale * scale <= mostDots;
}

const QImage& ArcsFigure::linePicture(double scale) const
{
    if (!m_picture.isNull() && qFuzzyCompare(m_pictureScale, scale))
        return m_picture;
    const QSizeF dots = m_size * scale;
    QImage picture(static_cast<int>(std::ceil(dots.width())), static_cast<int>(std::ceil(dots.height())),
                   QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    {
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale); // a ratio below 1 would not be heeded
        for (const Line& line : m_lines)
            strokeLine(painter, line, 1);
        strokeNoNumbers(painter, m_noNumberLines, 1);
    }
    m_picture = std::move(picture);
    m_pictureScale = scale;
    return m_picture;
}

void ArcsFigure::paintLines(QPainter& painter, const std::vector<TokenPlace>& alone) const
{
    const bool hushed = alone.empty() && m_isCut && m_content.markedRow; // all but the chosen word's, of very many
    const double opacity = hushed ? hushedOpacity : alone.empty() ? 1 : picked().empty() ? fadedOpacity : 0;
    const QTransform onDevice = painter.deviceTransform();
    const double scale = onDevice.m11();
    const bool upright = onDevice.type() <= QTransform::TxScale && qFuzzyCompare(scale, onDevice.m22()) && scale > 0;
    const bool pictured = isRaster(painter) && upright && fitsPicture(scale);
    if (pictured && opacity > 0) {
        painter.setOpacity(opacity);
        const QImage& lines = linePicture(scale);
        painter.drawImage(QRectF(QPointF(), QSizeF(lines.size()) / scale), lines);
        painter.setOpacity(1);
    }
    double strongest = 0; // of the chosen word
    for (const Line& line : m_lines)
        strongest = hushed && line.row == m_content.markedRow ? std::max(strongest, line.strength) : strongest;
    for (Line line : m_lines) {
        if (hushed && line.row == m_content.markedRow && strongest > 0)
            line.strength /= strongest;
        const bool own = (hushed && line.row == m_content.markedRow)
            || std::any_of(alone.begin(), alone.end(), [&line](const TokenPlace& place) {
                             return place.index == (place.side == Side::Rows ? line.row : line.column);
                         });
        if (own || (!pictured && opacity > 0))
            strokeLine(painter, line, own ? 1 : opacity);
    }
    if (!pictured && opacity > 0)
        strokeNoNumbers(painter, m_noNumberLines, opacity);
    for (const TokenPlace& place : alone)
        strokeNoNumbers(painter, noNumberLines(place, indexSize(alone)), 1);
}

void ArcsFigure::paintWeights(QPainter& painter, const std::vector<TokenPlace>& alone) const
{
    if (alone.empty())
        return;
    const Side side = opposite(alone.front().side);
    for (int other = 0; other < count(side); ++other) {
        ThreadStop::check();
        for (int i = 0; i < indexSize(m_heads); ++i) {
            const double sum = sumOf(m_heads[i], alone, other);
            const QRectF room = weightRect({side, other}, i);
            if (hasBoxes() && !isText())
                painter.fillRect(room, m_style.colors.blank);
            if (!std::isfinite(sum)) {
                drawNoNumber(painter, room, m_style);
                continue;
            }
            QColor color = inkOf(m_heads[i], sum);
            const double most = hasBoxes() && !isText() ? 0.95 : 0.55;
            const double shown = strength(side == Side::Rows ? other : alone.front().index, sum);
            color.setAlphaF(static_cast<float>(most * shown));
            painter.fillRect(room, color);
        }
    }
}

QRectF ArcsFigure::weightRect(TokenPlace place, int head) const
{
    const QRectF box = rectOf(place);
    if (isText()) {
        const double share = box.width() / static_cast<double>(m_heads.size());
        return {box.left() + head * share, box.top(), share, box.height()};
    }
    if (!hasBoxes())
        return box.adjusted(0, 0.5, 0, -0.5);
    const double part = boxesWidth() / static_cast<double>(m_heads.size());
    const double left = place.side == Side::Rows ? m_left - arcGap / 2 - boxesWidth() : m_right + arcGap / 2;
    const double high = std::max(1.0, std::min(box.height() - 1, part * 1.8));
    return {left + head * part, box.center().y() - high / 2, std::max(part - 1, 1.0), high};
}

void ArcsFigure::paintSigns(QPainter& painter, double y) const
{
    const double half = (m_right - m_left) / 2 - arcGap;
    const double height = QFontMetricsF(m_style.small).height();
    drawLabel(painter, m_style.small, m_style.colors.more, {m_left, y, half, height}, Qt::AlignHCenter,
              m_spec.against ? tr("more in the first") : tr("for"));
    drawLabel(painter, m_style.small, m_style.colors.less, {m_right - half, y, half, height}, Qt::AlignHCenter,
              m_spec.against ? tr("more in the second") : tr("against"));
}

void ArcsFigure::paintLoneGround(QPainter& painter, Side side, int index) const
{
    const QRectF label = labelRect(side, index);
    const double height = std::min(label.height(), QFontMetricsF(m_style.font).height()) * 0.8;
    drawHatching(painter,
                 {side == Side::Rows ? label.right() + 1 : label.left() - 1 - (arcGap - 2),
                  label.center().y() - height / 2, arcGap - 2, height},
                 m_style);
}

QColor ArcsFigure::labelInk(Side side, int index, bool generated) const
{
    const ThemeColors& colors = m_style.colors;
    if (axis(side).isLone(index))
        return axis(side).pairs[static_cast<std::size_t>(index)].here ? colors.more : colors.less;
    return generated ? colors.generated : colors.ink;
}

std::vector<int> ArcsFigure::namedFirst(Side side, const Highlight& highlight) const
{
    std::vector<int> named;
    for (const TokenPlace& place : isolated(highlight)) {
        if (place.side == side)
            named.push_back(place.index);
        else if (const std::vector<int> partners = partnersOf(m_heads.front(), place); !partners.empty())
            named.push_back(partners.front());
    }
    return named;
}

void ArcsFigure::paintLabels(QPainter& painter, Side side, const Highlight& highlight) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const int every = std::max(1, static_cast<int>(std::ceil(height * 0.98 / pitch(side))));
    const std::vector<int> named = namedFirst(side, highlight);
    for (int i = 0; i < written(side); ++i) {
        const bool needed = std::find(named.begin(), named.end(), i) != named.end();
        const bool near = std::any_of(named.begin(), named.end(), [&](int n) { return std::abs(i - n) < every; });
        const auto& found = side == Side::Rows ? highlight.foundRows : highlight.foundColumns;
        const bool isFound = std::ranges::binary_search(found, i);
        if (!needed && !isFound && (i % every != 0 || near))
            continue;
        const bool step = side == Side::Rows && i == m_content.markedRow;
        const bool generated = side == Side::Rows ? m_content.isGeneratedRow(i) : m_content.isGeneratedColumn(i);
        if (axis(side).isLone(i))
            paintLoneGround(painter, side, i);
        const QRectF room = labelRect(side, i);
        if (isFound)
            painter.fillRect(room.adjusted(0, 0.5, 0, -0.5), foundGround(m_style.colors));
        if (isPicked({side, i}))
            paintPick(painter, QRectF(room.left(), room.center().y() - height / 2, room.width(), height));
        const bool strong =
            step || isFound || isPicked({side, i}) || i == (side == Side::Rows ? highlight.row : highlight.column);
        drawLabel(painter,
                  strong          ? m_style.strong
                      : generated ? m_style.generated
                                  : m_style.font,
                  step ? m_style.colors.accent : labelInk(side, i, generated), room.adjusted(3, 0, -3, 0),
                  side == Side::Rows ? Qt::AlignRight : Qt::AlignLeft, label({side, i}));
    }
}

void ArcsFigure::paintPick(QPainter& painter, const QRectF& box) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.colors.accent, 1.5));
    painter.drawRoundedRect(box, 3, 3);
}

void ArcsFigure::paintText(QPainter& painter, Side side, const Highlight& highlight) const
{
    painter.setPen(m_style.colors.ink);
    text(side).paint(painter, origin(side), written(side));
    const auto pointed = pointedAt(highlight);
    for (int i = 0; i < written(side); ++i) {
        const bool generated = side == Side::Rows ? m_content.isGeneratedRow(i) : m_content.isGeneratedColumn(i);
        for (const QRectF& rect : text(side).rects(i)) {
            const QRectF box = rect.translated(origin(side));
            if (isPicked({side, i}))
                paintPick(painter, box.adjusted(-1, 0, 1, 0));
            else if (pointed == TokenPlace{side, i}) {
                painter.setPen(QPen(m_style.colors.cursor, 1.2));
                painter.drawRoundedRect(box.adjusted(-1, 0, 1, 0), 3, 3);
            }
            if (generated || (side == Side::Rows && i == m_content.markedRow) || axis(side).isLone(i)) {
                painter.setPen(QPen(i == m_content.markedRow && side == Side::Rows ? m_style.colors.accent
                                                                                   : labelInk(side, i, generated),
                                    1.5));
                painter.drawLine(box.bottomLeft(), box.bottomRight());
            }
        }
    }
}

} // namespace attn::ui
