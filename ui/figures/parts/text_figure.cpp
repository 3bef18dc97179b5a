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
    : StyledFigure(look, size)
    , m_paragraphs(std::move(paragraphs))
{
    QStringList texts;
    const double width = std::max(20.0, size.width() - 2 * textMargin);
    double top = textGap;
    for (const Paragraph& paragraph : m_paragraphs) {
        const QRectF room(textMargin, top, width, 100000);
        QRectF box = QFontMetricsF(fontOf(paragraph)).boundingRect(room, wrapped, paragraph.text);
        box = QRectF(textMargin, top, width, std::ceil(box.height()));
        m_boxes.push_back(box);
        texts << paragraph.text;
        top = box.bottom() + textGap;
    }
    m_description = texts.join(QLatin1Char(' '));
    if (m_size.height() <= 0)
        m_size.setHeight(top + textGap);
}

const QFont& TextFigure::fontOf(const Paragraph& paragraph) const
{
    return paragraph.kind == Paragraph::Kind::Title ? m_style.title
        : paragraph.kind == Paragraph::Kind::Muted  ? m_style.small
                                                    : m_style.font;
}

void TextFigure::draw(QPainter& painter, const Highlight&) const
{
    for (std::size_t i = 0; i < m_paragraphs.size(); ++i) {
        const bool muted = m_paragraphs[i].kind == Paragraph::Kind::Muted;
        painter.setPen(muted ? m_style.colors.muted : m_style.colors.ink);
        painter.setFont(fontOf(m_paragraphs[i]));
        painter.drawText(m_boxes[i], wrapped, m_paragraphs[i].text);
    }
}

} // namespace attn::ui
