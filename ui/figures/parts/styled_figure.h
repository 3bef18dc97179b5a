// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/formula_layout.h"
#include "figures/look/style.h"

#include <optional>

namespace attn::ui {

// The parts that most figures share: a size, colours and fonts, a title above or a text in place of everything.
class StyledFigure : public Figure
{
public:
    QSizeF size() const final { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const final;
    FigureHit hitTest(QPointF point) const override; // a cell
    QString description() const override { return m_description; }

protected:
    static constexpr double margin = 12;

    StyledFigure(const FigureSpec& look, QSizeF size);

    // On the ground, below the title; not called while something is said instead.
    virtual void draw(QPainter& painter, const Highlight& highlight) const = 0;
    // Text on a cell that is pointed at.
    virtual FigureHit hitOf(int /*row*/, int /*column*/) const { return {}; }
    QString cellTip(FigureCell cell) const override;
    static FigureHit cellHit(std::optional<int> row, int column, double value, const QString& text);

    // Whether something is said in place of everything. Then it is low, where its height is free.
    bool hasNothing();
    double headerHeight() const; // of title and subtitle
    // Part of the figure that is asked for: the painter's clip.
    QRectF exposed(const QPainter& painter) const;
    // Lines across a plot of values between two corners, at round ones that stand below it and left of it.
    void paintGrid(QPainter& painter, const QRectF& plot, QPointF least, QPointF most, double below) const;
    // In the middle of the figure.
    void paintEmpty(QPainter& painter, const QString& text) const;

    FigureStyle m_style;
    QSizeF m_size; // a null height is to be filled in by the layout
    FigureTitle m_title;
    double m_titleLeft = margin;
    bool m_titled = true; // title and subtitle are drawn
    std::optional<QString> m_empty; // said in place of everything
    QString m_description;

private:
    FormulaLayout titleFormula() const { return {m_title.formula, m_style.title}; }
    FormulaLayout formulaBelow() const { return {m_title.below, m_style.font, FormulaPlace::Inline}; }
    bool isSubtitleBeside() const; // the title, and not below it
    double titleHeight() const;
    double betweenTitles() const;
    double subtitleHeight() const;
    void paintHeader(QPainter& painter) const;
};

} // namespace attn::ui
