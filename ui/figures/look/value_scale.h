// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_choices.h"

#include <QString>

#include <span>
#include <vector>

namespace attn::ui {

// Which part of a colour scale a value is at, from 0 at its least to 1 at its most, and back. Below zero it grows as
// above. A logarithmic one that begins at zero begins to grow four decades below its end: what is less looks like zero.
class ValueScale
{
public:
    ValueScale() = default;
    ValueScale(double least, double most, ColorScale form = ColorScale::Linear);

    double least() const { return m_least; }
    double most() const { return m_most; }
    ColorScale form() const { return m_form; }

    double fraction(double value) const; // NaN of what is no number
    double part(double value) const; // of its size, with its sign; 0 of what is no number
    double valueAt(double fraction) const; // beyond the ends it goes on likewise, but never below zero from above it
    bool isAbove(double value) const; // not of infinity
    bool isBelow(double value) const;

    struct Tick
    {
        double value = 0;
        QString text;
    };
    std::vector<Tick> ticks() const; // rising

    friend bool operator==(const ValueScale&, const ValueScale&) = default;

private:
    static constexpr double slack = 1e-6;

    double shaped(double value) const; // grows evenly along the scale
    double unshaped(double shape) const;

    double m_least = 0;
    double m_most = 1;
    ColorScale m_form = ColorScale::Linear;
    double m_faintest = 1e-4; // logarithmic: where it begins
    double m_from = 0; // shaped(m_least)
    double m_to = 1;
};

// Where the colour scale of attention weights ends: the least round number that no weight exceeds, 1 for weights
// above a half. Scales start at 0.
double weightScaleEnd(std::span<const float> weights);

// Round values inside [least, most] at which a scale is labelled: about four to six, the least only when the range
// is empty.
std::vector<double> ticks(double least, double most);

// A tick's text; all ticks of a scale have as many decimals as the finest of them needs.
QString tickText(double tick, std::span<const double> all);

} // namespace attn::ui
