// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <QStringList>

#include <vector>

namespace attn::ui {

// A paragraph of a figure's text.
struct Paragraph
{
    enum class Kind : std::uint8_t { Plain, Title, Muted };
    QString text;
    Kind kind = Kind::Plain;
};

// Paragraphs below each other, wrapped to the width.
class TextFigure final : public Figure
{
public:
    // A null height: as high as the text.
    TextFigure(const FigureSpec& look, std::vector<Paragraph> paragraphs, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF) const override { return {}; }
    QRectF cellRect(int, int) const override { return {}; }
    int rows() const override { return 0; }
    int columns() const override { return 0; }
    QString description() const override;

private:
    const QFont& fontOf(const Paragraph& paragraph) const;

    FigureStyle m_style;
    std::vector<Paragraph> m_paragraphs;
    std::vector<QRectF> m_boxes;
    QSizeF m_size;
};

} // namespace attn::ui
