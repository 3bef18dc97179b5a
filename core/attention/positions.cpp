// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/positions.h"

#include "attention/score.h"
#include "base/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

namespace attn {

namespace {

std::vector<double> plainFrequencies(double base, int width)
{
    std::vector<double> result;
    for (int pair = 0; pair < width / 2; ++pair)
        result.push_back(std::pow(base, -2.0 * pair / width));
    return result;
}

void divide(std::vector<double>& frequencies, const std::vector<double>& factors)
{
    for (std::size_t pair = 0; pair < std::min(frequencies.size(), factors.size()); ++pair)
        frequencies[pair] /= factors[pair];
}

} // namespace

RotaryPositions::RotaryPositions(const RotarySettings& settings)
    : m_settings(settings)
    , m_frequencies(plainFrequencies(settings.base, settings.width))
{
    switch (settings.scaling) {
    case RotaryScaling::None:
    case RotaryScaling::Dynamic:
        break;
    case RotaryScaling::Linear:
        for (double& frequency : m_frequencies)
            frequency /= settings.factor;
        break;
    case RotaryScaling::Llama3:
        m_frequencies = llama3Frequencies();
        break;
    case RotaryScaling::Yarn:
        m_frequencies = yarnFrequencies();
        break;
    case RotaryScaling::LongRope:
        divide(m_frequencies, settings.factors);
        break;
    }
}

bool RotaryPositions::followsLength() const
{
    return m_settings.scaling == RotaryScaling::Dynamic
        || (m_settings.scaling == RotaryScaling::LongRope && !m_settings.longFactors.empty());
}

int RotaryPositions::border() const
{
    return m_settings.scaling == RotaryScaling::LongRope ? m_settings.originalPositions : m_settings.maximumPositions;
}

bool RotaryPositions::changes(int before, int length) const
{
    const bool again = m_settings.scaling == RotaryScaling::Dynamic; // at every token beyond the border
    return followsLength() && length > border() && (again || before <= border());
}

// Llama 3.1's reference implementation: by wavelength against the original context.
std::vector<double> RotaryPositions::llama3Frequencies() const
{
    std::vector<double> result = m_frequencies;
    const double longest = m_settings.originalPositions / m_settings.lowFrequencyFactor;
    const double shortest = m_settings.originalPositions / m_settings.highFrequencyFactor;
    for (double& frequency : result) {
        const double wavelength = 2 * std::numbers::pi / frequency;
        if (wavelength > longest) {
            frequency /= m_settings.factor;
        } else if (wavelength >= shortest) {
            const double smooth = (m_settings.originalPositions / wavelength - m_settings.lowFrequencyFactor)
                / (m_settings.highFrequencyFactor - m_settings.lowFrequencyFactor);
            frequency = (1 - smooth) * frequency / m_settings.factor + smooth * frequency;
        }
    }
    return result;
}

// Peng et al. 2023, section 3.2: pairs that turn often keep their frequency, pairs that turn less than once are
// divided, a linear ramp lies between.
std::vector<double> RotaryPositions::yarnFrequencies() const
{
    const int width = m_settings.width;
    const auto dimension = [&](double rotations) {
        return width * std::log(m_settings.originalPositions / (rotations * 2 * std::numbers::pi))
            / (2 * std::log(m_settings.base));
    };
    double low = dimension(m_settings.fastRotations);
    double high = dimension(m_settings.slowRotations);
    if (m_settings.wholeRotations) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, width - 1.0);
    if (low == high)
        high += 0.001;
    std::vector<double> result = m_frequencies;
    for (std::size_t pair = 0; pair < result.size(); ++pair) {
        const double divided = std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
        result[pair] *= divided / m_settings.factor + (1 - divided);
    }
    return result;
}

std::vector<double> RotaryPositions::frequencies(int length) const
{
    if (!followsLength() || length <= border())
        return m_frequencies;
    const int width = m_settings.width;
    if (m_settings.scaling == RotaryScaling::LongRope) {
        std::vector<double> result = plainFrequencies(m_settings.base, width);
        divide(result, m_settings.longFactors);
        return result;
    }
    const double ratio = m_settings.factor * length / m_settings.maximumPositions - (m_settings.factor - 1);
    const double exponent = static_cast<double>(width) / (width - 2);
    return plainFrequencies(m_settings.base * std::pow(ratio, exponent), width);
}

void RotaryPositions::rotate(MutableView rows, int first, int step, int length) const
{
    const std::vector<double> turning = frequencies(length);
    const std::size_t half = turning.size();
    const bool halves = m_settings.pairs == RotaryPairs::Halves;
    const std::size_t toNext = halves ? 1 : 2; // from one pair to the next
    const std::size_t apart = halves ? half : 1; // within a pair
    std::vector<float> cosines(half);
    std::vector<float> sines(half);
    for (int row = 0; row < rows.rows; ++row) {
        if (row == 0 || step != 0) {
            const double position = first + row * step;
            for (std::size_t pair = 0; pair < half; ++pair) {
                cosines[pair] = static_cast<float>(std::cos(position * turning[pair]) * m_settings.magnitude);
                sines[pair] = static_cast<float>(std::sin(position * turning[pair]) * m_settings.magnitude);
            }
        }
        for (int head = 0; head < rows.heads; ++head) {
            const auto features = rows.row(head, row).subspan(m_settings.first);
            for (std::size_t pair = 0; pair < half; ++pair) {
                float& first = features[pair * toNext];
                float& second = features[pair * toNext + apart];
                const float left = first;
                const float right = second;
                first = left * cosines[pair] - right * sines[pair];
                second = right * cosines[pair] + left * sines[pair];
            }
        }
    }
}

void RotaryPositions::scaleQueries(MutableView queries, int first, int step) const
{
    if (m_settings.queryGrowth == 0)
        return;
    for (int row = 0; row < queries.rows; ++row) {
        const auto factor = static_cast<float>(queryFactor(first + row * step));
        for (int head = 0; head < queries.heads; ++head) {
            for (float& feature : queries.row(head, row))
                feature *= factor;
        }
    }
}

double RotaryPositions::queryFactor(int position) const
{
    const int contexts = position / m_settings.originalPositions;
    return 1 + m_settings.queryGrowth * std::log1p(contexts);
}

void RotaryPositions::report(const StageReport& stages, int position, int features, int length) const
{
    if (!stages)
        return;
    std::vector<float> angles;
    for (const double frequency : frequencies(length))
        angles.push_back(static_cast<float>(position * frequency));
    const auto number = [](auto value) { return static_cast<float>(value); };
    stages.vector(StageKind::Rotation,
                  std::array{number(m_settings.width), number(m_settings.first), number(features),
                             number(m_settings.base), number(m_settings.pairs == RotaryPairs::Neighbours),
                             number(m_settings.magnitude), number(queryFactor(position))});
    stages.vector(StageKind::Angles, angles);
}

void PositionBias::report(const StageReport& stages, const QueryKeyScores& of) const
{
    std::vector<float> biases;
    for (int column = 0; column < of.keys.rows; ++column)
        biases.push_back(*bias(of.firstRow + stages.row(), column, stages.head()));
    stages.vector(StageKind::PositionBias, biases);
}

AlibiPositions::AlibiPositions(int heads, float scale, bool rounded)
    : m_scale(scale)
    , m_rounded(rounded)
{
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    for (int head = 0; head < heads; ++head) {
        const double exponent = head < power ? 8.0 * (head + 1) : 4.0 * (2 * (head - power) + 1);
        const auto slope = static_cast<float>(std::exp2(-exponent / power));
        m_slopes.push_back(rounded ? bfloat16ToFloat(floatToBfloat16(slope)) : slope);
    }
}

std::optional<float> AlibiPositions::bias(int /*query*/, int key, int head) const
{
    const float value = m_slopes.at(head) * static_cast<float>(key);
    return (m_rounded ? bfloat16ToFloat(floatToBfloat16(value)) : value) * m_scale;
}

void AlibiPositions::add(Engine& /*engine*/, const QueryKeyScores& /*of*/, Index firstHead, MutableView scores) const
{
    for (int head = 0; head < scores.heads; ++head) {
        for (int column = 0; column < scores.columns; ++column) {
            const float added = *bias(0, column, firstHead + head);
            for (int row = 0; row < scores.rows; ++row)
                scores.at(head, row, column) += added;
        }
    }
}

RelativePositions::RelativePositions(Tensor table, bool bidirectional, int maximumDistance)
    : m_table(std::move(table))
    , m_bidirectional(bidirectional)
    , m_maximumDistance(maximumDistance)
{
}

int RelativePositions::bucket(int distance) const
{
    int count = m_table.matrix().rows;
    int first = 0;
    int away = -distance; // keys after a causal query do not occur
    if (m_bidirectional) {
        count /= 2;
        first = distance > 0 ? count : 0;
        away = std::abs(distance);
    }
    away = std::max(away, 0);
    const int exact = count / 2;
    if (away < exact)
        return first + away;
    // In float32, as the models were trained with it: the borders of the buckets depend on the rounding.
    const float part = std::log(static_cast<float>(away) / static_cast<float>(exact))
        / static_cast<float>(std::log(static_cast<double>(m_maximumDistance) / exact));
    const int wide = exact + static_cast<int>(part * static_cast<float>(count - exact));
    return first + std::min(wide, count - 1);
}

float RelativePositions::bias(int distance, int head) const
{
    return m_table.matrix().at(bucket(distance), head);
}

void RelativePositions::add(Engine& /*engine*/, const QueryKeyScores& of, Index firstHead, MutableView scores) const
{
    add(scores, firstHead, of.firstRow);
}

void RelativePositions::add(MutableView scores, Index firstHead, int firstRow) const
{
    std::vector<int> buckets; // by distance, from the last query to the first key on
    for (int distance = 1 - firstRow - scores.rows; distance < scores.columns - firstRow; ++distance)
        buckets.push_back(bucket(distance));
    const NumberView table = m_table.matrix();
    for (int head = 0; head < scores.heads; ++head) {
        for (int row = 0; row < scores.rows; ++row) {
            const auto values = scores.row(head, row);
            for (int column = 0; column < scores.columns; ++column)
                values[column] += table.at(buckets[scores.rows - 1 - row + column], firstHead + head);
        }
    }
}

} // namespace attn
