// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/styled_figure.h"

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
class TextFigure final : public StyledFigure
{
public:
    // A null height: as high as the text.
    TextFigure(const FigureSpec& look, std::vector<Paragraph> paragraphs, QSizeF size);

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;

private:
    const QFont& fontOf(const Paragraph& paragraph) const;

    std::vector<Paragraph> m_paragraphs;
    std::vector<QRectF> m_boxes;
};

} // namespace attn::ui
