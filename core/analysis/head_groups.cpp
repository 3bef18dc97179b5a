// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_groups.h"

#include "base/index.h"
#include "base/thread_stop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace attn {

namespace {

constexpr int mostRows = 32;
constexpr int mostColumns = 40; // that are all compared one by one
constexpr int near = 8; // columns on each side of the diagonal
constexpr int intervals = 16; // of the columns that are not
constexpr int mostHeads = 1024;
constexpr int mostGroups = 8;
constexpr double alike = 0.1; // nats

double plogp(double p)
{
    return p > 0 ? -p * std::log(p) : 0.0;
}

// Appends a row that sums to one, or zeros.
void addSketchRow(HeadSketch& sketch, NumberView weights, int row)
{
    const int columns = weights.columns;
    if (!std::ranges::all_of(weights.row(row), [](float weight) { return std::isfinite(weight); }))
        sketch.entropy = std::numeric_limits<double>::quiet_NaN();
    const auto positive = [&](int column) { return std::max(0.0, static_cast<double>(weights.at(row, column))); };
    double sum = 0;
    for (int column = 0; column < columns; ++column)
        sum += positive(column);
    const bool whole = columns <= mostColumns;
    std::vector<double> cells(static_cast<std::size_t>(whole ? columns : 2 * near + 2 + intervals));
    const auto diagonal = static_cast<int>(std::int64_t{row} * columns / weights.rows);
    for (int column = 0; column < columns; ++column) {
        const int offset = column - diagonal;
        const int cell = whole         ? column
            : column == 0              ? 0
            : std::abs(offset) <= near ? 1 + near + offset
                                       : 2 * near + 2 + static_cast<int>(std::int64_t{column} * intervals / columns);
        cells[static_cast<std::size_t>(cell)] += positive(column);
    }
    for (const double cell : cells) {
        const double part = sum > 0 ? cell / sum : 0.0;
        sketch.cells.push_back(static_cast<float>(part));
        sketch.entropy += plogp(part);
    }
}

// The pairwise distances of groups, on which the nearest two are joined.
class Linkage
{
public:
    explicit Linkage(int count)
        : m_count(count)
        , m_distances(static_cast<std::size_t>(count) * static_cast<std::size_t>(count))
        , m_sizes(static_cast<std::size_t>(count), 1)
    {
    }

    double& at(int a, int b)
    {
        return m_distances[static_cast<std::size_t>(std::max(a, b)) * static_cast<std::size_t>(m_count)
                           + static_cast<std::size_t>(std::min(a, b))];
    }
    bool isGroup(int a) const { return m_sizes[static_cast<std::size_t>(a)] > 0; }

    // The one with the lower number goes on.
    void join(int a, int b)
    {
        const double ofA = m_sizes[static_cast<std::size_t>(a)];
        const double ofB = m_sizes[static_cast<std::size_t>(b)];
        for (int other = 0; other < m_count; ++other) {
            if (other != a && other != b && isGroup(other))
                at(a, other) = (ofA * at(a, other) + ofB * at(b, other)) / (ofA + ofB);
        }
        m_sizes[static_cast<std::size_t>(a)] += m_sizes[static_cast<std::size_t>(b)];
        m_sizes[static_cast<std::size_t>(b)] = 0;
    }

private:
    int m_count = 0;
    std::vector<double> m_distances; // of a < b at [b][a]
    std::vector<int> m_sizes; // 0: has gone into another one
};

} // namespace

HeadSketch headSketch(NumberView weights)
{
    HeadSketch sketch{weights.rows, weights.columns, {}, 0, std::min<int>(weights.rows, mostRows)};
    for (int i = 0; i < sketch.compared; ++i)
        addSketchRow(sketch, weights, static_cast<int>(std::int64_t{i} * weights.rows / sketch.compared));
    return sketch;
}

double headDistance(const HeadSketch& a, const HeadSketch& b)
{
    if (a.rows != b.rows || a.columns != b.columns || std::isnan(a.entropy) || std::isnan(b.entropy))
        return std::numbers::ln2;
    if (a.compared == 0)
        return 0;
    double mixed = 0; // entropy
    for (std::size_t i = 0; i < a.cells.size(); ++i)
        mixed += plogp((static_cast<double>(a.cells[i]) + static_cast<double>(b.cells[i])) / 2);
    return std::max(0.0, (mixed - (a.entropy + b.entropy) / 2) / a.compared);
}

std::vector<int> groupHeads(const std::vector<HeadSketch>& heads)
{
    const int count = indexSize(heads);
    std::vector<int> groups(heads.size());
    if (count > mostHeads)
        return groups;
    Linkage linkage(count);
    for (int a = 0; a < count; ++a) {
        ThreadStop::check();
        for (int b = 0; b < a; ++b)
            linkage.at(a, b) = headDistance(heads[static_cast<std::size_t>(a)], heads[static_cast<std::size_t>(b)]);
        groups[static_cast<std::size_t>(a)] = a;
    }
    for (int left = count; left > 1; --left) {
        ThreadStop::check();
        double least = std::numeric_limits<double>::infinity();
        std::pair<int, int> nearest;
        for (int a = 0; a < count; ++a) {
            for (int b = 0; linkage.isGroup(a) && b < a; ++b) {
                if (linkage.isGroup(b) && linkage.at(a, b) < least) {
                    least = linkage.at(a, b);
                    nearest = {b, a};
                }
            }
        }
        if (least > alike && left <= mostGroups)
            break;
        linkage.join(nearest.first, nearest.second);
        std::ranges::replace(groups, nearest.second, nearest.first);
    }
    std::map<int, int> numbers; // by the number of the first member
    for (int& group : groups)
        group = numbers.try_emplace(group, indexSize(numbers)).first->second;
    return groups;
}

} // namespace attn
