// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/token_figure.h"

#include <QColor>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace attn::ui {

// A figure that shades the tokens of one side by what the picked ones of the other attend to, or by what attends to
// them.
class ShadedTokens : public TokenFigure
{
protected:
    using TokenFigure::TokenFigure;

    TokenSide shadedSide() const { return opposite(pickSide()); }
    // The picked tokens, else the row that is marked; of an explained token its row.
    std::vector<int> usualSources() const;
    // Sums the weights of some tokens of pickSide(), or averages those of all that are written where there are none.
    void shade(std::vector<int> sources);
    // Whether the range that was chosen holds for them; sums have ends of their own.
    bool hasChosenEnd() const;
    void setEnd(double most); // of the scale
    bool isMean() const { return m_sources.empty(); }
    const std::vector<int>& sources() const { return m_sources; }
    double value(int index) const { return m_values[static_cast<std::size_t>(index)]; } // of a token of shadedSide()
    const std::vector<double>& values() const { return m_values; }
    double fraction(double value) const; // of a magnitude, on the scale
    double part(double value) const { return m_scale.part(value); } // of the scale, with its sign
    QColor ground(double value) const; // of letters with such a value, which stay readable on it
    // Under letters; and under what stands beside them, that no seam shows.
    void paintGround(QPainter& painter, const QRectF& box, double value, const QRectF& beside = {}) const;
    QString valueText(double value) const;
    QString pickedNames() const; // of the sources, the first few

    static constexpr double shadedGap = 8; // between the parts of the figure
    // Subject of the shades: what a reading explains, if anything, or else a sentence about the picked tokens, with
    // "%1" for their names, by the way they are looked from, or about the mean.
    struct Sentences
    {
        QString explained;
        QString forth;
        QString back;
        QString mean;
    };
    void sayShades(const Sentences& sentences);
    void describeShades(); // behind what is said of the figure
    double shadeLegendHeight() const; // 0: there is none
    // Subject of the shades, and below it a bar of them with its ends.
    void paintShadeLegend(QPainter& painter, const std::function<QColor(double value)>& colorOf) const;

    QString m_shows; // of what the shades are
    double m_legendTop = 0;

private:
    static constexpr double barWidth = 120;
    static constexpr double barHeight = 10;

    // The one row that has numbers, where a reading has those of one; none: it has all.
    std::optional<int> onlyRow() const;

    std::vector<int> m_sources;
    std::vector<double> m_values;
    double m_most = 1;
    ValueScale m_scale; // of magnitudes
};

} // namespace attn::ui
