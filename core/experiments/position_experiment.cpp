// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/position_experiment.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attn {

namespace {

// Fit of the rotation in the layout that suits the table better; none when it is no sinusoidal table.
std::optional<double> errorOfFormula(NumberView table, int offset)
{
    constexpr double alike = 1e-4;
    if (table.columns % 2 == 1)
        return std::nullopt;
    const auto error = [&](SinusoidLayout layout) {
        return offsetError(table, offsetRotation(offset, table.columns, layout).matrix(), offset);
    };
    const double least = std::min(error(SinusoidLayout::Interleaved), error(SinusoidLayout::Halves));
    return least < alike ? std::optional(least) : std::nullopt;
}

} // namespace

ExactOffset exactOffset(int offset, int width, SinusoidLayout layout)
{
    ExactOffset result{offsetRotation(offset, width, layout), 0};
    const Tensor table = sinusoids(ExactOffset::positions + offset, width, layout);
    result.error = offsetError(table.matrix(), result.matrix.matrix(), offset);
    return result;
}

OffsetExperiment::OffsetExperiment(std::string model, int offset)
    : m_model(std::move(model))
    , m_offset(offset)
{
    const std::set<int> offsets{1, 2, 4, 8, 16, 32, std::max(1, offset)};
    m_offsets.assign(offsets.begin(), offsets.end());
}

bool OffsetExperiment::advance(const Workbench& bench)
{
    if (m_table.empty()) {
        m_table = bench.load(m_model)->model->positionalEncoding(mostPositions);
        const int rows = m_table.matrix().rows;
        std::erase_if(m_offsets, [rows](int offset) { return offset + 8 > rows; });
        m_map = fitOffset(m_table.matrix(), std::min(m_offset, rows - 1));
        m_formula = errorOfFormula(m_table.matrix(), std::min(m_offset, rows - 1));
        return !m_offsets.empty();
    }
    const int offset = m_offsets[m_curve.size()];
    m_curve.push_back(fitOffset(m_table.matrix(), offset));
    const Index done = indexSize(m_curve);
    const Index all = indexSize(m_offsets);
    bench.say({ExperimentProgress::Step::Offset, 1.0 * done / all, {}, offset, all});
    return done < all;
}

Numbers schemeMatrix(const SchemeSettings& settings)
{
    switch (settings.source) {
    case PositionSource::Rotary: {
        const std::vector<float> even(settings.width, 1 / std::sqrt(static_cast<float>(settings.width)));
        return rotaryProducts(even, even, settings.positions, settings.base);
    }
    case PositionSource::Relative:
        return fromDistances(settings.positions, [&](int distance) {
            return relativeBucket(distance, !settings.causal, settings.buckets, settings.farthest);
        });
    case PositionSource::Alibi: {
        const double slope = alibiSlopes(settings.heads).at(settings.head);
        return fromDistances(settings.positions, [slope](int distance) { return -slope * std::abs(distance); });
    }
    default:
        break;
    }
    const auto layout =
        settings.source == PositionSource::Halves ? SinusoidLayout::Halves : SinusoidLayout::Interleaved;
    return rowProducts(sinusoids(settings.positions, settings.width, layout).matrix(), settings.product);
}

ModelPositionsExperiment::ModelPositionsExperiment(std::string model, Stage stage, int head, int positions)
    : m_model(std::move(model))
    , m_stage(stage)
    , m_head(head)
    , m_positions(positions)
{
}

bool ModelPositionsExperiment::advance(const Workbench& bench)
{
    const auto loaded = bench.load(m_model);
    m_table = loaded->model->positionalEncoding(m_positions);
    if (m_table.empty() && loaded->model->info().heads({m_stage, 0}) > m_head)
        m_scores = loaded->model->positionScores(m_stage, m_head, m_positions);
    return false;
}

} // namespace attn
