// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/aligned_texts.h"

#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double alignedGap = 8;
constexpr double betweenBlocks = 10;
constexpr double widestToken = 140;
constexpr double widestName = 150;

} // namespace

AlignedTexts::AlignedTexts(const FigureSpec& look, AlignedContent content, QSizeF size)
    : StyledFigure(look, size)
    , m_content(std::move(content))
{
    m_title = m_content.title;
    QStringList here;
    QStringList there;
    for (const AlignedContent::Column& column : m_content.columns) {
        here << column.here.text;
        there << column.there.text;
    }
    for (QStringList* text : {&here, &there})
        text->removeAll(QString());
    m_description =
        tr("%1. First: %2. Second: %3.").arg(m_title.title, here.join(QLatin1Char(' ')), there.join(QLatin1Char(' ')));
    chooseLines();
    layOut();
}

// Lines of numbers only where any are known.
void AlignedTexts::chooseLines()
{
    const double textHeight = QFontMetricsF(m_style.strong).height() * 1.1;
    const double numberHeight = QFontMetricsF(m_style.small).height();
    double top = 0;
    const auto add = [&](bool here, What what) {
        const double height = what == What::Text ? textHeight : numberHeight;
        m_lines.push_back({here, what, top, height});
        top += height;
    };
    for (const bool here : {true, false}) {
        if (!here)
            top += alignedGap / 2;
        add(here, What::Text);
        for (const What what : {What::First, What::Second}) {
            const bool any = std::ranges::any_of(m_content.columns, [&](const AlignedContent::Column& column) {
                const AlignedContent::Token& token = here ? column.here : column.there;
                return !knownDecimal(what == What::First ? token.first : token.second, 2).isEmpty();
            });
            if (any)
                add(here, what);
        }
    }
    m_blockHeight = top;
}

double AlignedTexts::widthOf(const AlignedContent::Column& column) const
{
    const QFontMetricsF strong(m_style.strong);
    const QFontMetricsF small(m_style.small);
    double widest = small.horizontalAdvance(QStringLiteral("00"));
    for (const AlignedContent::Token* token : {&column.here, &column.there}) {
        widest = std::max({widest, std::min(labelWidth(token->text, strong), widestToken),
                           small.horizontalAdvance(knownDecimal(token->first, 2)),
                           small.horizontalAdvance(knownDecimal(token->second, 2))});
    }
    return widest + 1;
}

void AlignedTexts::layOut()
{
    m_top = margin + headerHeight() + alignedGap;
    for (const Line& line : m_lines) {
        const QFontMetricsF metrics(line.what == What::Text ? m_style.strong : m_style.small);
        m_labelWidth = std::max(m_labelWidth, labelWidth(labelOf(line), metrics) + 1);
    }
    m_labelWidth = std::min({m_labelWidth, widestName, m_size.width() * 0.25});
    const double start = margin + m_labelWidth + 1.5 * alignedGap;
    double left = start;
    int block = 0;
    const auto place = [&](const AlignedContent::Column& column) {
        const double width = std::min(widthOf(column), m_size.width() - margin - start);
        if (left > start && left + width > m_size.width() - margin) {
            left = start;
            ++block;
        }
        m_boxes.push_back({&column, block, left, width});
        left += width + alignedGap;
    };
    for (const AlignedContent::Column& column : m_content.columns)
        place(column);
    if (m_content.sum)
        place(*m_content.sum);
    m_allBlocks = m_boxes.empty() ? 0 : block + 1;
    const double pitch = m_blockHeight + betweenBlocks;
    const double room = m_size.height() - m_top;
    m_blocks = m_size.height() <= 0 ? m_allBlocks : std::clamp(static_cast<int>(room / pitch), 1, m_allBlocks);
    const int marked = m_content.marked ? m_boxes.at(*m_content.marked).block : 0;
    m_firstBlock = std::clamp(marked - m_blocks / 2, 0, m_allBlocks - m_blocks);
    m_size.setHeight(m_top + m_blocks * pitch);
}

QRectF AlignedTexts::rectOf(const Box& box, const Line& line) const
{
    if (box.block < m_firstBlock || box.block >= m_firstBlock + m_blocks)
        return {};
    const double top = m_top + (box.block - m_firstBlock) * (m_blockHeight + betweenBlocks);
    return {box.left, top + line.top, box.width, line.height};
}

QRectF AlignedTexts::cellRect(int row, int column) const
{
    const auto line = std::ranges::find_if(
        m_lines, [row](const Line& one) { return one.what == What::Text && one.here == (row == 0); });
    const bool known = row >= 0 && row < rows() && column >= 0 && column < columns();
    return known && line != m_lines.end() ? rectOf(m_boxes[column], *line) : QRectF();
}

FigureHit AlignedTexts::hitOf(int row, int column) const
{
    const AlignedContent::Column& at = m_content.columns[column];
    const AlignedContent::Token& token = row == 0 ? at.here : at.there;
    QStringList parts{token.text.isEmpty() ? tr("nothing here") : token.text};
    if (const QString known = knownDecimal(token.first, 4); !known.isEmpty())
        parts << tr("log p in the first %1").arg(known);
    if (const QString known = knownDecimal(token.second, 4); !known.isEmpty())
        parts << tr("in the second %1").arg(known);
    return cellHit(row, column, token.first, parts.join(QStringLiteral("   ")));
}

const AlignedContent::Token& AlignedTexts::tokenOf(const Box& box, const Line& line) const
{
    return line.here ? box.column->here : box.column->there;
}

QString AlignedTexts::labelOf(const Line& line) const
{
    switch (line.what) {
    case What::Text:
        return line.here ? m_content.hereName : m_content.thereName;
    case What::First:
        return tr("log p, first");
    case What::Second:
        break;
    }
    return tr("log p, second");
}

void AlignedTexts::paintLabels(QPainter& painter) const
{
    const ThemeColors& colors = m_style.colors;
    for (int block = 0; block < m_blocks; ++block) {
        const double top = m_top + block * (m_blockHeight + betweenBlocks);
        for (const Line& line : m_lines) {
            const bool text = line.what == What::Text;
            const QRectF room(margin, top + line.top, m_labelWidth, line.height);
            drawLabel(painter, m_style.small,
                      !text           ? colors.muted
                          : line.here ? colors.more
                                      : colors.less,
                      room, Qt::AlignLeft, labelOf(line));
        }
    }
    if (m_blocks == m_allBlocks)
        return;
    const QString seen = m_blocks == 1
        ? tr("line %1 of %2").arg(m_firstBlock + 1).arg(m_allBlocks)
        : tr("lines %1 to %2 of %3").arg(m_firstBlock + 1).arg(m_firstBlock + m_blocks).arg(m_allBlocks);
    drawLabel(painter, m_style.small, colors.muted,
              {margin, m_size.height() - betweenBlocks, m_size.width() - 2 * margin, betweenBlocks}, Qt::AlignRight,
              seen);
}

void AlignedTexts::paintBox(QPainter& painter, const Box& box) const
{
    const ThemeColors& colors = m_style.colors;
    const bool sum = m_content.sum && box.column == &*m_content.sum;
    for (const Line& line : m_lines) {
        const QRectF room = rectOf(box, line);
        const AlignedContent::Token& token = tokenOf(box, line);
        if (room.isNull())
            return;
        if (line.what != What::Text) {
            drawLabel(painter, m_style.small, sum ? colors.ink : colors.muted, room, Qt::AlignHCenter,
                      knownDecimal(line.what == What::First ? token.first : token.second, 2));
        } else if (sum) {
            drawLabel(painter, m_style.small, colors.ink, room, Qt::AlignHCenter, token.text);
        } else if (token.text.isEmpty()) {
            drawHatching(painter, room.adjusted(0, 2, 0, -2), m_style);
        } else {
            const bool same = box.column->isSame();
            drawLabel(painter, same ? m_style.font : m_style.strong,
                      same            ? colors.ink
                          : line.here ? colors.more
                                      : colors.less,
                      room, Qt::AlignHCenter, token.text);
        }
    }
}

void AlignedTexts::draw(QPainter& painter, const Highlight& highlight) const
{
    paintLabels(painter);
    for (const Box& box : m_boxes)
        paintBox(painter, box);
    const auto outline = [&](int column, const QColor& color) {
        const QRectF first = rectOf(m_boxes[column], m_lines.front());
        if (first.isNull())
            return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.5));
        painter.drawRect(first.united(rectOf(m_boxes[column], m_lines.back())).adjusted(-3, -1, 3, 2));
    };
    if (m_content.marked)
        outline(*m_content.marked, m_style.colors.accent);
    if (const auto at = highlight.cursor ? std::optional(highlight.cursor->column) : highlight.column;
        at && *at < columns())
        outline(*at, m_style.colors.cursor);
}

} // namespace attn::ui
