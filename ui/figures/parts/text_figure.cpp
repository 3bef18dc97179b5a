// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/text_figure.h"

#include <QPainter>

#include <cmath>

namespace attn::ui {

namespace {

constexpr double textMargin = 12;
constexpr double textGap = 4;
constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

} // namespace

TextFigure::TextFigure(const FigureSpec& look, std::vector<Paragraph> paragraphs, QSizeF size)
    : m_style(look)
    , m_paragraphs(std::move(paragraphs))
    , m_size(size)
{
    const double width = std::max(20.0, size.width() - 2 * textMargin);
    double top = textGap;
    for (const Paragraph& paragraph : m_paragraphs) {
        const QRectF room(textMargin, top, width, 100000);
        QRectF box = QFontMetricsF(fontOf(paragraph)).boundingRect(room, wrapped, paragraph.text);
        box = QRectF(textMargin, top, width, std::ceil(box.height()));
        m_boxes.push_back(box);
        top = box.bottom() + textGap;
    }
    if (m_size.height() <= 0)
        m_size.setHeight(top + textGap);
}

const QFont& TextFigure::fontOf(const Paragraph& paragraph) const
{
    switch (paragraph.kind) {
    case Paragraph::Kind::Title:
        return m_style.title;
    case Paragraph::Kind::Muted:
        return m_style.small;
    case Paragraph::Kind::Plain:
        break;
    }
    return m_style.font;
}

void TextFigure::paint(QPainter& painter, const Highlight&) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    for (std::size_t i = 0; i < m_paragraphs.size(); ++i) {
        const bool muted = m_paragraphs[i].kind == Paragraph::Kind::Muted;
        painter.setPen(muted ? m_style.colors.muted : m_style.colors.ink);
        painter.setFont(fontOf(m_paragraphs[i]));
        painter.drawText(m_boxes[i], wrapped, m_paragraphs[i].text);
    }
}

QString TextFigure::description() const
{
    QStringList parts;
    for (const Paragraph& paragraph : m_paragraphs)
        parts << paragraph.text;
    return parts.join(QLatin1Char(' '));
}

} // namespace attn::ui
