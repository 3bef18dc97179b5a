// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_scale.h"

#include "figures/look/decimal.h"
#include "maps/map_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::ui {

namespace {

constexpr int mostSteps = 12; // of a scale

} // namespace

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
