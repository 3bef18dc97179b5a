// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/value_scale.h"

#include "figures/look/decimal.h"
#include "maps/map_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::ui {

namespace {

constexpr int mostSteps = 12; // of a scale
constexpr double decades = 4;
constexpr double leastBetweenTicks = 0.11; // ticks, of the scale's length
constexpr int mostSmaller = 12; // round numbers that are tried below the even ones

// 1, 2 and 5 times the powers of ten that are less than a number, falling.
std::vector<double> roundBelow(double most, int count)
{
    std::vector<double> found;
    double power = std::pow(10, std::floor(std::log10(most)));
    while (static_cast<int>(found.size()) < count) {
        for (const double factor : {5.0, 2.0, 1.0}) {
            if (factor * power < most * (1 - 1e-9))
                found.push_back(factor * power);
        }
        power /= 10;
    }
    return found;
}

} // namespace

ValueScale::ValueScale(double least, double most, ColorScale form)
    : m_least(least)
    , m_most(most)
    , m_form(form)
    , m_faintest(least > 0 ? least : std::max(-least, most) * std::pow(10, -decades))
{
    m_from = shaped(m_least);
    m_to = shaped(m_most);
}

double ValueScale::shaped(double value) const
{
    const double size = std::abs(value);
    switch (m_form) {
    case ColorScale::Linear:
        break;
    case ColorScale::SquareRoot:
        return std::copysign(std::sqrt(size), value);
    case ColorScale::Logarithmic:
        return size > m_faintest ? std::copysign(std::log10(size / m_faintest), value) : 0;
    }
    return value;
}

double ValueScale::unshaped(double shape) const
{
    switch (m_form) {
    case ColorScale::Linear:
        break;
    case ColorScale::SquareRoot:
        return std::copysign(shape * shape, shape);
    case ColorScale::Logarithmic:
        return std::abs(shape) > 0 ? std::copysign(m_faintest * std::pow(10, std::abs(shape)), shape)
                                   : std::max(0.0, m_least);
    }
    return shape;
}

double ValueScale::fraction(double value) const
{
    if (std::isnan(value))
        return std::numeric_limits<double>::quiet_NaN();
    return m_to > m_from ? std::clamp((shaped(value) - m_from) / (m_to - m_from), 0.0, 1.0) : 0;
}

double ValueScale::part(double value) const
{
    return std::isfinite(value) ? std::copysign(fraction(std::abs(value)), value) : 0;
}

bool ValueScale::isAbove(double value) const
{
    return std::isfinite(value) && value > m_most * (1 + slack);
}

double ValueScale::valueAt(double fraction) const
{
    const double value = unshaped(m_from + fraction * (m_to - m_from));
    return m_least < 0 ? value : std::max(0.0, value);
}

bool ValueScale::isBelow(double value) const
{
    return value < m_least - slack * std::max(std::abs(m_least), std::abs(m_most));
}

std::vector<ValueScale::Tick> ValueScale::ticks() const
{
    std::vector<Tick> found;
    const std::vector<double> even = ui::ticks(m_least, m_most);
    if (m_form == ColorScale::Linear || !(m_to > m_from)) {
        for (const double tick : even)
            found.push_back({tick, tickText(tick, even)});
        return found;
    }
    // From the end down, as far apart as labels want to be.
    std::vector<double> above;
    const auto take = [&](double tick) {
        const double at = fraction(tick);
        const bool apart = above.empty() || fraction(above.back()) - at >= leastBetweenTicks;
        if (apart && at >= leastBetweenTicks && tick > std::max(0.0, m_least))
            above.push_back(tick);
    };
    const bool powers = m_form == ColorScale::Logarithmic;
    if (powers)
        take(m_most);
    for (auto tick = even.rbegin(); !powers && tick != even.rend(); ++tick)
        take(*tick);
    for (const double tick : roundBelow(std::max(m_most, -m_least), powers ? 3 * mostSmaller : mostSmaller)) {
        const double power = std::log10(tick);
        if (!powers || std::abs(power - std::round(power)) < 1e-9)
            take(tick);
    }
    const auto textOf = [](double value) { return significant(value, 2); };
    if (m_least < 0) {
        for (const double tick : above) {
            if (tick <= -m_least * (1 + slack))
                found.push_back({-tick, textOf(-tick)});
        }
    }
    const bool fades = powers && m_least >= 0 && !(m_least > 0);
    const double start = fades ? m_faintest : std::max(0.0, m_least);
    found.push_back({start, (fades ? QStringLiteral("\u2264") : QString()) + textOf(start)});
    std::reverse(above.begin(), above.end());
    for (const double tick : above)
        found.push_back({tick, textOf(tick)});
    return found;
}

double weightScaleEnd(std::span<const float> weights)
{
    const double most = rangeOfNumbers(weights).value_or(NumberRange{}).most;
    if (!(most > 0) || (most > 0.5 && most <= 1 + 1e-5))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (most <= factor * power * (1 + 1e-6))
            return factor * power;
    }
    return 10 * power;
}

std::vector<double> ticks(double least, double most)
{
    const double span = most - least;
    if (!(span > 0 && span <= std::numeric_limits<double>::max()))
        return {least};
    const double rough = span / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (span / (factor * power) <= 5.01) {
            step = factor * power;
            break;
        }
    }
    std::vector<double> found;
    const double first = std::ceil(least / step - 1e-9);
    // Far from zero a number has no room for the steps of a narrow range.
    for (int i = 0; i <= mostSteps && (first + i) * step <= most + span * 1e-9; ++i) {
        const double tick = (first + i) * step + 0.0; // + 0.0 turns -0 into 0
        if (tick >= least - span * 1e-9 && (found.empty() || tick > found.back()))
            found.push_back(tick);
    }
    if (found.empty())
        found.push_back(least);
    return found;
}

QString tickText(double tick, std::span<const double> all)
{
    const double step = all.size() > 1 ? all[1] - all[0] : std::abs(tick);
    const double greatest =
        std::max(std::abs(all.empty() ? tick : all.front()), std::abs(all.empty() ? tick : all.back()));
    if (!(step > 0) || step < 1e-6 || greatest >= 1e6)
        return significant(tick, 3);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 7);
    return decimal(tick, decimals);
}

} // namespace attn::ui
