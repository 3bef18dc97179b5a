// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/formula.h"

#include <QColor>
#include <QFont>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace attn::ui {

// Whether it stands on a line of its own: fractions are full size then, and what a sum runs over stands below it.
enum class FormulaPlace : std::uint8_t { Displayed, Inline };

// A formula as numbers, set as TeX does (Knuth, The TeXbook, appendix G), in a serif face as large as `font` is.
// Coordinates are those of the font, from the beginning of the base line; y grows downwards.
class FormulaLayout
{
public:
    struct Letters
    {
        QString text;
        QFont font;
        AttentionRole role = AttentionRole::Other;
        QPointF at; // beginning of their base line
        QRectF ink;
    };
    struct Shape // bars, radical signs, tall brackets: filled
    {
        QPainterPath path;
        AttentionRole role = AttentionRole::Other;
    };

    FormulaLayout() = default;
    FormulaLayout(const Formula& formula, const QFont& font, FormulaPlace place = FormulaPlace::Displayed);

    // Everything is within it.
    QSizeF size() const { return {m_width, m_ascent + m_descent}; }
    double width() const { return m_width; }
    double ascent() const { return m_ascent; } // above the base line
    double descent() const { return m_descent; }
    bool empty() const { return m_letters.empty() && m_shapes.empty(); }
    const std::vector<Letters>& letters() const { return m_letters; }
    const std::vector<Shape>& shapes() const { return m_shapes; }

    // `base`: where the base line begins. What has no role is in `ink`.
    void paint(QPainter& painter, QPointF base, const ThemeColors& colors, const QColor& ink) const;
    // At the left of a box, in the vertical middle of it; smaller where it is wider than that.
    void paintIn(QPainter& painter, const QRectF& box, const ThemeColors& colors, const QColor& ink) const;
    // How much smaller.
    double scaleIn(double width) const { return m_width > width && width > 0 ? width / m_width : 1; }

private:
    double m_width = 0;
    double m_ascent = 0;
    double m_descent = 0;
    std::vector<Letters> m_letters;
    std::vector<Shape> m_shapes;
};

} // namespace attn::ui
