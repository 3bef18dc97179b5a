// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/bench_figures.h"

#include "base/plain_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <iostream>
#include <utility>

namespace attn::app {

double millisecondsBetween(BenchClock::time_point start, BenchClock::time_point end)
{
    return std::chrono::duration<double, std::milli>(end - start).count();
}

double millisecondsSince(BenchClock::time_point start)
{
    return millisecondsBetween(start, BenchClock::now());
}

namespace {

double percentileOfSorted(const std::vector<double>& values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto before = static_cast<std::size_t>(place);
    const std::size_t after = std::min(before + 1, values.size() - 1);
    return std::lerp(values[before], values[after], place - std::floor(place));
}

} // namespace

double percentileOf(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return percentileOfSorted(values, share);
}

Quartiles quartilesOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return {values.front(), percentileOfSorted(values, 0.25), percentileOfSorted(values, 0.5),
            percentileOfSorted(values, 0.75), values.back()};
}

void printFigures(const std::string& what, std::vector<double> milliseconds)
{
    const std::size_t runs = milliseconds.size();
    const Quartiles found = quartilesOf(std::move(milliseconds));
    std::cout << fmt::format("{:<44} median {:8.2f} ms   quartiles {:8.2f} {:8.2f}   ({} runs)\n", escaped(what),
                             found.median, found.lower, found.upper, runs);
}

} // namespace attn::app
