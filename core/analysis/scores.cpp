// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/scores.h"

#include "analysis/normal_numbers.h"
#include "base/index.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix randomMatrix(NormalNumbers& numbers, int rows, int columns, double deviation = 1)
{
    Matrix matrix(rows, columns);
    numbers.fill({matrix.data(), static_cast<std::size_t>(matrix.size())}, deviation);
    return matrix;
}

Matrix additiveScores(NormalNumbers& numbers, const Matrix& queries, const Matrix& keys)
{
    const auto width = static_cast<Index>(queries.cols());
    const double deviation = 1 / std::sqrt(width);
    const Matrix w = randomMatrix(numbers, width, width, deviation);
    const Matrix u = randomMatrix(numbers, width, width, deviation);
    const Eigen::VectorXf v = randomMatrix(numbers, width, 1, deviation);
    const Matrix projectedQueries = queries * w.transpose();
    const Matrix projectedKeys = keys * u.transpose();
    Matrix scores(queries.rows(), keys.rows());
    for (Eigen::Index query = 0; query < queries.rows(); ++query)
        scores.row(query) =
            ((projectedKeys.rowwise() + projectedQueries.row(query)).array().tanh().matrix() * v).transpose();
    return scores;
}

} // namespace

Numbers sampleScores(Compatibility kind, const ScoreExperiment& experiment)
{
    NormalNumbers numbers(experiment.seed);
    const Matrix queries = randomMatrix(numbers, experiment.queries, experiment.width);
    const Matrix keys = randomMatrix(numbers, experiment.keys, experiment.width);
    Matrix scores;
    if (kind == Compatibility::Additive)
        scores = additiveScores(numbers, queries, keys);
    else
        scores = queries * keys.transpose();
    if (kind == Compatibility::ScaledDot)
        scores /= std::sqrt(static_cast<float>(experiment.width));
    return {experiment.queries, experiment.keys, {scores.data(), scores.data() + scores.size()}};
}

std::vector<float> softmax(std::span<const float> scores)
{
    std::vector<float> weights(scores.size());
    const auto isNumber = [](float score) { return score < std::numeric_limits<float>::infinity(); }; // NaN is not less
    if (!std::ranges::all_of(scores, isNumber)) {
        std::ranges::fill(weights, std::numeric_limits<float>::quiet_NaN());
        return weights;
    }
    const float most = scores.empty() ? 0 : *std::ranges::max_element(scores);
    if (!std::isfinite(most))
        return weights;
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        weights[i] = std::exp(scores[i] - most);
        sum += weights[i];
    }
    for (float& weight : weights)
        weight = static_cast<float>(weight / sum);
    return weights;
}

Numbers softmaxRows(const Numbers& scores)
{
    Numbers weights{scores.rows, scores.columns, {}};
    weights.values.reserve(scores.values.size());
    for (int row = 0; row < scores.rows; ++row) {
        const std::vector<float> soft = softmax(scores.row(row));
        weights.values.insert(weights.values.end(), soft.begin(), soft.end());
    }
    return weights;
}

Moments momentsOf(std::span<const float> values)
{
    Moments result;
    double squares = 0;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        // Welford's recurrence: exact also where the mean is far from 0.
        ++result.count;
        const double step = value - result.mean;
        result.mean += step / result.count;
        squares += step * (value - result.mean);
    }
    if (result.count > 0)
        result.deviation = std::sqrt(squares / result.count);
    return result;
}

double meanSensitivity(const Numbers& weights)
{
    double sum = 0;
    for (const float weight : weights.values)
        sum += weight * (1 - double{weight});
    return weights.rows > 0 ? sum / weights.rows : 0;
}

Histogram histogram(std::span<const float> values, double least, double most, int bins)
{
    Histogram result{least, most, std::vector<int>(std::max(bins, 1))};
    const double width = result.binWidth();
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double bin = width > 0 ? std::floor((value - least) / width) : 0;
        const double inside = std::clamp(bin, 0.0, indexSize(result.counts) - 1.0);
        ++result.counts[static_cast<Index>(inside)];
    }
    return result;
}

ScoreNumbers scoreNumbers(const Numbers& scores)
{
    ScoreNumbers result;
    std::ranges::copy_if(scores.values, std::back_inserter(result.scores),
                         [](float value) { return std::isfinite(value); });
    result.moments = momentsOf(result.scores);
    if (!result.scores.empty()) {
        const auto [least, most] = std::ranges::minmax(result.scores);
        result.least = static_cast<double>(least);
        result.most = static_cast<double>(most);
    }
    const Numbers weights = softmaxRows(scores);
    result.sensitivity = meanSensitivity(weights);
    const auto columns = static_cast<std::size_t>(scores.columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(scores.rows) && columns > 0; ++row) {
        const auto rowScores = std::span(scores.values).subspan(row * columns, columns);
        const auto seen = std::ranges::count_if(rowScores, [](float value) { return std::isfinite(value); });
        if (seen == 0)
            continue;
        result.largest.push_back(std::ranges::max(std::span(weights.values).subspan(row * columns, columns)));
        result.uniform += 1.0 / static_cast<double>(seen);
    }
    if (!result.largest.empty())
        result.uniform /= static_cast<double>(result.largest.size());
    result.meanLargest = momentsOf(result.largest).mean;
    return result;
}

Numbers scaledScores(Numbers scores, double factor)
{
    for (float& score : scores.values) {
        if (std::isfinite(score))
            score = static_cast<float>(static_cast<double>(score) * factor);
    }
    return scores;
}

std::pair<double, double> scoreRange(std::span<const ScoreNumbers* const> shown)
{
    double least = 0;
    double most = 0;
    for (const ScoreNumbers* numbers : shown) {
        least = std::min(least, numbers->least);
        most = std::max(most, numbers->most);
    }
    const double margin = (most - least) * 0.02;
    return most > least ? std::pair(least - margin, most + margin) : std::pair(-1.0, 1.0);
}

std::optional<std::size_t> exactLookup(std::span<const float> query, std::span<const LookupEntry> table)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::ranges::equal(table[i].key, query))
            return i;
    }
    return std::nullopt;
}

SoftLookup softLookup(std::span<const float> query, std::span<const LookupEntry> table, float sharpness)
{
    SoftLookup lookup;
    for (const LookupEntry& entry : table)
        lookup.scores.push_back(sharpness * std::inner_product(query.begin(), query.end(), entry.key.begin(), 0.0F));
    lookup.weights = softmax(lookup.scores);
    for (std::size_t i = 0; i < table.size(); ++i)
        lookup.result += lookup.weights[i] * table[i].value;
    return lookup;
}

} // namespace attn
