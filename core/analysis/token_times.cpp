// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/token_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace attn {

namespace {

// Rows of numbers, one behind the other.
struct CostRows
{
    Index rows = 0;
    Index columns = 0;
    std::vector<double> values =
        std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));

    double& at(Index row, Index column)
    {
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns)
                      + static_cast<std::size_t>(column)];
    }
};

// Each column less its mean, over its deviation, where that is not 0.
CostRows standardized(const Numbers& weights, Index columns)
{
    CostRows result{weights.rows, columns};
    for (Index column = 0; column < columns; ++column) {
        double sum = 0;
        for (Index row = 0; row < weights.rows; ++row)
            sum += weights.at(row, column);
        const double mean = sum / weights.rows;
        double squares = 0;
        for (Index row = 0; row < weights.rows; ++row)
            squares += (weights.at(row, column) - mean) * (weights.at(row, column) - mean);
        const double deviation = std::sqrt(squares / weights.rows);
        for (Index row = 0; row < weights.rows; ++row)
            result.at(row, column) = (weights.at(row, column) - mean) / (deviation == 0 ? 1 : deviation);
    }
    return result;
}

// The median of the values around each, mirrored at the ends; the values where there are too few.
std::vector<double> medians(std::span<const double> values, Index width)
{
    const Index count = indexSize(values);
    const Index reach = width / 2;
    if (count <= reach)
        return {values.begin(), values.end()};
    std::vector<double> result;
    std::vector<double> around;
    for (Index i = 0; i < count; ++i) {
        around.clear();
        for (Index j = i - reach; j <= i + reach; ++j) {
            const Index mirrored = j < 0 ? -j : j >= count ? 2 * (count - 1) - j : j;
            around.push_back(values[static_cast<std::size_t>(mirrored)]);
        }
        std::nth_element(around.begin(), around.begin() + reach, around.end());
        result.push_back(around[static_cast<std::size_t>(reach)]);
    }
    return result;
}

// The first column of each row on the cheapest way from the first cell to the last. On ties a step to the right is
// taken, even where it is dearer, as published.
std::vector<Index> firstColumns(CostRows costs)
{
    enum class Step : std::uint8_t { Diagonal, Down, Right };
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<Step> steps(costs.values.size(), Step::Right);
    for (Index row = 0; row < costs.rows; ++row) {
        for (Index column = 0; column < costs.columns; ++column) {
            const bool begins = row == 0 && column == 0;
            const double diagonal = begins ? 0 : row > 0 && column > 0 ? costs.at(row - 1, column - 1) : never;
            const double above = row > 0 ? costs.at(row - 1, column) : never;
            const double before = column > 0 ? costs.at(row, column - 1) : never;
            Step& step = steps[static_cast<std::size_t>(row) * static_cast<std::size_t>(costs.columns)
                               + static_cast<std::size_t>(column)];
            if (diagonal < above && diagonal < before)
                step = Step::Diagonal;
            else if ((above < diagonal && above < before) || (column == 0 && row > 0))
                step = Step::Down;
            costs.at(row, column) += step == Step::Diagonal ? diagonal : step == Step::Down ? above : before;
        }
    }
    std::vector<Index> first(static_cast<std::size_t>(costs.rows), 0);
    Index row = costs.rows - 1;
    Index column = costs.columns - 1;
    while (row > 0 || column > 0) {
        first[static_cast<std::size_t>(row)] = column;
        const Step step = row == 0 ? Step::Right
                                   : steps[static_cast<std::size_t>(row) * static_cast<std::size_t>(costs.columns)
                                           + static_cast<std::size_t>(column)];
        row -= step == Step::Right ? 0 : 1;
        column -= step == Step::Down ? 0 : 1;
    }
    first.front() = 0;
    return first;
}

} // namespace

std::vector<TimeSpan> tokenTimes(const Trace& trace, const TokenTiming& timing, std::optional<StepId> leaf)
{
    const Index tokens = trace.steps(leaf);
    const Index prompt = std::min(timing.prompt, tokens);
    const bool seen =
        std::ranges::all_of(timing.heads, [&](const auto& head) { return trace.heads(head.first) > head.second; });
    if (!seen || timing.heads.empty() || tokens == 0)
        return {};
    std::vector<TimeSpan> times(static_cast<std::size_t>(tokens), {nowhere, nowhere});
    if (prompt == tokens)
        return times;
    CostRows costs{tokens - prompt, timing.columns};
    for (const auto& [site, head] : timing.heads) {
        CostRows rows = standardized(trace.matrix(site, head, leaf), timing.columns);
        for (Index row = prompt; row < tokens; ++row) {
            const std::vector<double> filtered =
                medians({&rows.at(row, 0), static_cast<std::size_t>(timing.columns)}, timing.medianWidth);
            for (Index column = 0; column < timing.columns; ++column)
                costs.at(row - prompt, column) -=
                    filtered[static_cast<std::size_t>(column)] / static_cast<double>(timing.heads.size());
        }
    }
    const std::vector<Index> first = firstColumns(std::move(costs));
    const auto seconds = [&](Index column) { return static_cast<float>(column * timing.columnSeconds); };
    for (std::size_t i = 0; i < first.size(); ++i)
        times[static_cast<std::size_t>(prompt) + i] = {seconds(first[i]),
                                                       seconds(i + 1 < first.size() ? first[i + 1] : timing.columns)};
    return times;
}

} // namespace attn
