// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"

#include "nn/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attn {

namespace {

std::size_t draw(std::span<const float> weights, std::mt19937_64& generator)
{
    double sum = 0;
    for (const float weight : weights)
        sum += static_cast<double>(weight);
    // 53 random bits: the same number on every platform, unlike std::uniform_real_distribution.
    double left = static_cast<double>(generator() >> 11U) * 0x1.0p-53 * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0)
            continue;
        last = i;
        left -= static_cast<double>(weights[i]);
        if (left < 0)
            break;
    }
    return last;
}

void makeHard(std::span<float> weights, std::size_t columns, std::mt19937_64* generator)
{
    for (std::size_t begin = 0; begin < weights.size(); begin += columns) {
        const auto row = weights.subspan(begin, columns);
        const auto largest = std::ranges::max_element(row);
        const float weight = *largest > 0 ? 1.0F : 0.0F; // a row with nothing to attend to stays so
        const auto chosen = generator != nullptr && weight > 0 ? draw(row, *generator)
                                                               : static_cast<std::size_t>(largest - row.begin());
        std::ranges::fill(row, 0.0F);
        row[chosen] = weight;
    }
}

template<typename Change>
void changeCells(const LocalScope& local, std::span<float> maps, int rows, int columns, const Change& change)
{
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const auto column = static_cast<int>(i % static_cast<std::size_t>(columns));
        const std::size_t row = i / static_cast<std::size_t>(columns) % static_cast<std::size_t>(rows);
        change(maps[i], column, static_cast<double>(local.centers.at(row)));
    }
}

void hideOutside(const LocalScope& local, std::span<float> scores, int rows, int columns)
{
    changeCells(local, scores, rows, columns, [&](float& score, int column, double center) {
        if (std::abs(column - std::nearbyint(center)) > local.window)
            score = -std::numeric_limits<float>::infinity();
    });
}

void weighByDistance(const LocalScope& local, std::span<float> weights, int rows, int columns)
{
    const double deviation = local.window / 2.0;
    changeCells(local, weights, rows, columns, [&](float& weight, int column, double center) {
        const double distance = (column - center) / deviation;
        weight *= static_cast<float>(std::exp(-distance * distance / 2));
    });
}

// [heads, 1, columns] of one row out of [heads, rows, columns].
std::vector<float> oneRow(std::span<const float> maps, int heads, int rows, int columns, int row)
{
    std::vector<float> result;
    if (maps.empty())
        return result;
    const auto width = static_cast<std::size_t>(columns);
    result.reserve(static_cast<std::size_t>(heads) * width);
    for (int head = 0; head < heads; ++head) {
        const auto values = maps.subspan(
            (static_cast<std::size_t>(head) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * width,
            width);
        result.insert(result.end(), values.begin(), values.end());
    }
    return result;
}

void reportAttention(const AttentionRun& run, const AttentionCall& call, int heads, int columns,
                     std::span<const float> weights, std::span<const float> scores)
{
    if (!run.capture.attention)
        return;
    AttentionBlock block{call.site, call.hypothesis, call.firstRow, heads, call.rows, columns, weights, scores};
    block.rowAxis = call.rowAxis;
    block.columnAxis = call.columnAxis;
    if (call.meaning == AttentionRows::Positions || call.rows == 1) {
        run.sink.attention(block);
        return;
    }
    block.rows = 1;
    for (int row = 0; row < call.rows; ++row) {
        const auto rowWeights = oneRow(weights, heads, call.rows, columns, row);
        const auto rowScores = oneRow(scores, heads, call.rows, columns, row);
        block.hypothesis = call.hypothesis + row;
        block.weights = rowWeights;
        block.scores = rowScores;
        run.sink.attention(block);
    }
}

// The model's masks: keys that come later, or lie outside a window.
void hide(const AttentionCall& call, std::span<float> scores, int columns, const StageReport& stages)
{
    applyMask(call.mask, scores, call.rows, columns, call.firstRow, call.window);
    if (call.local != nullptr) {
        hideOutside(*call.local, scores, call.rows, columns);
        const float center = call.local->centers.at(static_cast<std::size_t>(stages.row()));
        stages.vector(StageKind::Window, std::array{center, static_cast<float>(call.local->window)});
    }
    stages.ofMaps(StageKind::Scores, scores, call.rows, columns);
}

// What follows the softmax, where something does.
void narrow(const AttentionCall& call, std::span<float> weights, int columns, const StageReport& stages)
{
    if (call.local != nullptr && call.local->gaussian) {
        weighByDistance(*call.local, weights, call.rows, columns);
        stages.ofMaps(StageKind::Gaussian, weights, call.rows, columns);
    }
    if (call.mode == AttentionMode::Hard) {
        makeHard(weights, static_cast<std::size_t>(columns), call.generator);
        stages.ofMaps(StageKind::Choice, weights, call.rows, columns);
    }
}

void reportSum(const StageReport& stages, HeadShape shape, HeadRows values, HeadRows sums)
{
    stages.allOfHead(StageKind::Values, values, shape);
    stages.ofHead(StageKind::Context, sums, shape);
    if (stages)
        stages.vector(StageKind::Heads, MatrixView{sums.data, sums.rows, sums.stride}.row(stages.row()));
}

} // namespace

StageReport AttentionRun::stages(const AttentionCall& call, int heads) const
{
    const auto& cell = capture.inside;
    const bool together = call.meaning == AttentionRows::Positions || call.rows == 1;
    if (!cell || !together || cell->site != call.site || cell->hypothesis != call.hypothesis || cell->head < 0
        || cell->head >= heads || cell->row < call.firstRow || cell->row >= call.firstRow + call.rows)
        return {};
    return {sink, cell->head, cell->row - call.firstRow};
}

void attend(const AttentionRun& run, const AttentionCall& call, HeadShape shape, const ScoreFunction& score,
            HeadRows values, float* context)
{
    const int columns = values.rows;
    const int width = shape.heads * shape.width;
    const StageReport stages = run.stages(call, shape.heads);
    std::vector<float> weights(static_cast<std::size_t>(shape.heads) * static_cast<std::size_t>(call.rows)
                               * static_cast<std::size_t>(columns));
    score(weights.data(), stages);
    hide(call, weights, columns, stages);
    std::vector<float> scores;
    if (run.capture.attention && run.capture.scores)
        scores = weights;

    // Step by step the keys of a causal row grow in number, others stay as many as they are.
    const bool growing = call.mask != Mask::None && call.rows == 1;
    softmax(run.engine, weights, columns, growing ? SoftmaxWidth::Growing : SoftmaxWidth::Fixed);
    stages.ofMaps(StageKind::Softmax, weights, call.rows, columns);
    narrow(call, weights, columns, stages);
    reportAttention(run, call, shape.heads, columns, weights, scores);

    weightedSum(run.engine, shape, weights.data(), call.rows, values, context, width);
    reportSum(stages, shape, values, {context, call.rows, width});
}

} // namespace attn
