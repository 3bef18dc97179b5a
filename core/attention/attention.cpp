// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"

#include "nn/softmax.h"

#include <algorithm>
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

void report(TraceSink& sink, const AttentionCall& call, int heads, int columns, std::span<const float> weights,
            std::span<const float> scores)
{
    AttentionBlock block{call.site, call.hypothesis, call.firstRow, heads, call.rows, columns, weights, scores};
    block.rowAxis = call.rowAxis;
    block.columnAxis = call.columnAxis;
    if (call.meaning == AttentionRows::Positions || call.rows == 1) {
        sink.attention(block);
        return;
    }
    block.rows = 1;
    for (int row = 0; row < call.rows; ++row) {
        const auto rowWeights = oneRow(weights, heads, call.rows, columns, row);
        const auto rowScores = oneRow(scores, heads, call.rows, columns, row);
        block.hypothesis = call.hypothesis + row;
        block.weights = rowWeights;
        block.scores = rowScores;
        sink.attention(block);
    }
}

} // namespace

namespace {

std::vector<float> rowOf(std::span<const float> maps, std::size_t map, int rows, int row, std::size_t columns)
{
    const std::size_t begin = (map * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * columns;
    const auto values = maps.subspan(begin, columns);
    return {values.begin(), values.end()};
}

// The values and the context of the probed head.
void probeContext(AttentionProbe& probe, const AttentionCall& call, HeadShape shape, HeadRows values,
                  const float* context)
{
    const auto width = static_cast<std::ptrdiff_t>(shape.width);
    const std::ptrdiff_t shared = probe.head / shape.sharing;
    probe.values = {values.rows, shape.width, {}};
    for (std::ptrdiff_t row = 0; row < values.rows; ++row) {
        const float* from = values.data + row * values.stride + shared * width;
        probe.values.values.insert(probe.values.values.end(), from, from + width);
    }
    const float* own = context + (probe.row - call.firstRow) * std::ptrdiff_t{shape.heads} * width;
    probe.heads.assign(own, own + shape.heads * width);
    probe.context.assign(own + probe.head * width, own + (probe.head + 1) * width);
    probe.found = true;
}

// What the softmax gave, where it is not the last word.
void probeScope(AttentionProbe& probe, const AttentionCall& call, std::vector<float> softWeights)
{
    probe.hard = call.mode == AttentionMode::Hard;
    probe.gaussian = call.local != nullptr && call.local->gaussian;
    if (call.local != nullptr) {
        probe.window = call.local->window;
        probe.center = call.local->centers.at(static_cast<std::size_t>(probe.row - call.firstRow));
    }
    if (probe.hard || probe.gaussian)
        probe.softWeights = std::move(softWeights);
}

} // namespace

void attend(AttentionRun& run, const AttentionCall& call, HeadShape shape, const ScoreFunction& score, HeadRows values,
            float* context)
{
    const int columns = values.rows;
    std::vector<float> weights(static_cast<std::size_t>(shape.heads) * static_cast<std::size_t>(call.rows)
                               * static_cast<std::size_t>(columns));
    score(weights.data());
    applyMask(call.mask, weights, call.rows, columns, call.firstRow, call.window);
    if (call.local != nullptr)
        hideOutside(*call.local, weights, call.rows, columns);
    std::vector<float> scores;
    if (run.capture.attention && run.capture.scores)
        scores = weights;
    const bool probed = call.isProbed(run.probe) && run.probe->head < shape.heads;
    const auto probedRow = [&] {
        return rowOf(weights, static_cast<std::size_t>(run.probe->head), call.rows, run.probe->row - call.firstRow,
                     static_cast<std::size_t>(columns));
    };
    if (probed)
        run.probe->scores = probedRow();

    // Step by step the keys of a causal row grow in number, others stay as many as they are.
    const bool growing = call.mask != Mask::None && call.rows == 1;
    softmax(run.engine, weights, columns, growing ? SoftmaxWidth::Growing : SoftmaxWidth::Fixed);
    if (probed)
        probeScope(*run.probe, call, probedRow());
    if (call.local != nullptr && call.local->gaussian)
        weighByDistance(*call.local, weights, call.rows, columns);
    if (call.mode == AttentionMode::Hard)
        makeHard(weights, static_cast<std::size_t>(columns), call.generator);
    if (run.capture.attention)
        report(run.sink, call, shape.heads, columns, weights, scores);
    weightedSum(run.engine, shape, weights.data(), call.rows, values, context, shape.heads * shape.width);
    if (probed) {
        run.probe->weights = probedRow();
        probeContext(*run.probe, call, shape, values, context);
    }
}

} // namespace attn
