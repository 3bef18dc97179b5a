// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/position_schemes.h"

#include "base/index.h"

#include <Eigen/QR>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace attn {

namespace {

using SchemeMatrix = Eigen::MatrixXd;

struct SinusoidPlace
{
    int sine = 0;
    int cosine = 0;
};

SinusoidPlace placeOf(int pair, int width, SinusoidLayout layout)
{
    if (layout == SinusoidLayout::Interleaved)
        return {2 * pair, 2 * pair + 1};
    return {pair, width / 2 + pair};
}

SchemeMatrix rowsOf(NumberView table, int first, int count)
{
    using Stored = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Stored> all(table.data, table.rows, table.columns);
    return all.middleRows(first, count).cast<double>();
}

// The map of least norm with from * map = to. Directions that are no larger than the rounding of the table's numbers do
// not take part: what they would explain is noise.
SchemeMatrix solved(const SchemeMatrix& from, const SchemeMatrix& to)
{
    constexpr double rounding = 1e-6;
    Eigen::CompleteOrthogonalDecomposition<SchemeMatrix> decomposition;
    decomposition.setThreshold(rounding);
    decomposition.compute(from);
    return decomposition.solve(to);
}

// |from * map - to|, relative to |to|.
double leftOver(const SchemeMatrix& from, const SchemeMatrix& map, const SchemeMatrix& to)
{
    const double length = to.norm();
    return length > 0 ? (from * map - to).norm() / length : 0;
}

} // namespace

double positionFrequency(int pair, int width)
{
    return std::pow(10000.0, -2.0 * pair / width);
}

Tensor sinusoids(int positions, int width, SinusoidLayout layout)
{
    Tensor table({positions, width});
    for (int pair = 0; pair < width / 2; ++pair) {
        const double frequency = positionFrequency(pair, width);
        const SinusoidPlace place = placeOf(pair, width, layout);
        for (int position = 0; position < positions; ++position) {
            const auto row = table.matrix().row(position);
            row[place.sine] = static_cast<float>(std::sin(position * frequency));
            row[place.cosine] = static_cast<float>(std::cos(position * frequency));
        }
    }
    return table;
}

Tensor offsetRotation(int offset, int width, SinusoidLayout layout)
{
    Tensor rotation({width, width});
    const MutableView cells = rotation.matrix();
    for (int pair = 0; pair < width / 2; ++pair) {
        const double angle = offset * positionFrequency(pair, width);
        const auto [sine, cosine] = placeOf(pair, width, layout);
        cells.at(sine, sine) = cells.at(cosine, cosine) = static_cast<float>(std::cos(angle));
        cells.at(sine, cosine) = static_cast<float>(std::sin(angle));
        cells.at(cosine, sine) = static_cast<float>(-std::sin(angle));
    }
    return rotation;
}

OffsetMap fitOffset(NumberView table, int offset)
{
    const int count = table.rows - offset;
    const SchemeMatrix from = rowsOf(table, 0, count);
    const SchemeMatrix to = rowsOf(table, offset, count);
    // Rows are positions, so the map acts from the right: from * M^T = to.
    const SchemeMatrix transposed = solved(from, to);
    const SchemeMatrix map = transposed.transpose();
    OffsetMap result{Tensor({table.columns, table.columns}), leftOver(from, transposed, to), count > table.columns, 0};
    std::ranges::transform(map.reshaped<Eigen::RowMajor>(), result.matrix.data(),
                           [](double value) { return static_cast<float>(value); });
    std::vector<int> seen;
    std::vector<int> unseen;
    for (int row = 0; row < count; ++row)
        (row % 4 == 3 ? unseen : seen).push_back(row);
    if (!unseen.empty()) {
        const SchemeMatrix others = solved(from(seen, Eigen::all), to(seen, Eigen::all));
        result.unseen = leftOver(from(unseen, Eigen::all), others, to(unseen, Eigen::all));
    }
    return result;
}

double offsetError(NumberView table, NumberView map, int offset)
{
    const int count = table.rows - offset;
    if (count <= 0)
        return 0;
    const SchemeMatrix moved = rowsOf(table, 0, count) * rowsOf(map, 0, map.rows).transpose();
    return (moved - rowsOf(table, offset, count)).cwiseAbs().maxCoeff();
}

Numbers rowProducts(NumberView table, ProductKind kind)
{
    SchemeMatrix rows = rowsOf(table, 0, table.rows);
    if (kind == ProductKind::Cosine)
        rows.rowwise().normalize();
    const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> products =
        (rows * rows.transpose()).cast<float>();
    return {table.rows, table.rows, {products.data(), products.data() + products.size()}};
}

Numbers rotaryProducts(std::span<const float> query, std::span<const float> key, int positions, double base)
{
    const Index half = indexSize(query) / 2;
    return fromDistances(positions, [&](int distance) {
        double sum = 0;
        for (Index i = 0; i < half; ++i) {
            const double angle = -distance * std::pow(base, -2.0 * i / indexSize(query));
            const double a = query[i];
            const double b = query[half + i];
            const double c = key[i];
            const double d = key[half + i];
            sum += (a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle);
        }
        return sum;
    });
}

Numbers fromDistances(int positions, const std::function<double(int distance)>& valueAt)
{
    std::vector<float> values;
    for (int distance = 1 - positions; distance < positions; ++distance)
        values.push_back(static_cast<float>(valueAt(distance)));
    Numbers result{positions, positions, {}};
    for (int query = 0; query < positions; ++query)
        result.values.insert(result.values.end(), values.begin() + (positions - 1 - query),
                             values.begin() + (2 * positions - 1 - query));
    return result;
}

int relativeBucket(int distance, bool bidirectional, int buckets, int farthest)
{
    int first = 0;
    int away = std::max(-distance, 0);
    if (bidirectional) {
        buckets /= 2;
        first = distance > 0 ? buckets : 0;
        away = std::abs(distance);
    }
    const int exact = buckets / 2;
    if (away < exact)
        return first + away;
    const double part = std::log(1.0 * away / exact) / std::log(1.0 * farthest / exact);
    // A border that is a whole number must not fall below itself by rounding.
    const int wide = exact + static_cast<int>(part * (buckets - exact) + 1e-9);
    return first + std::min(wide, buckets - 1);
}

std::vector<double> alibiSlopes(int heads)
{
    const auto powers = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(heads, 1))));
    std::vector<double> slopes;
    for (int head = 1; head <= powers; ++head)
        slopes.push_back(std::exp2(-8.0 * head / powers));
    // Heads beyond a power of two take every other slope of twice as many.
    for (int head = 1; indexSize(slopes) < heads; head += 2)
        slopes.push_back(std::exp2(-8.0 * head / (2 * powers)));
    return slopes;
}

DistanceCurve byDistance(const Numbers& matrix, bool causal)
{
    DistanceCurve curve;
    const int positions = matrix.rows;
    for (int distance = 1 - positions; distance < (causal ? 1 : positions); ++distance) {
        double sum = 0;
        double least = std::numeric_limits<double>::infinity();
        double most = -least;
        const int first = std::max(0, -distance);
        const int end = std::min(positions, positions - distance);
        int count = 0;
        for (int row = first; row < end; ++row) {
            const double value = matrix.at(row, row + distance);
            if (!std::isfinite(value))
                continue;
            ++count;
            sum += value;
            least = std::min(least, value);
            most = std::max(most, value);
        }
        if (count == 0)
            continue;
        curve.distances.push_back(distance);
        curve.means.push_back(sum / count);
        curve.least.push_back(least);
        curve.most.push_back(most);
    }
    return curve;
}

} // namespace attn
