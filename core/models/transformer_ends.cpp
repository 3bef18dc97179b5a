// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

Tensor TokenInput::rows(Engine& engine, const Source& source, std::span<const int> numbers) const
{
    Tensor result = tokens->rows(source.ids, scaleOf(source));
    for (int row = 0; dropped && row < indexSize(source.ids); ++row) {
        if (source.ids[row] == *dropped)
            std::ranges::fill(result.matrix().row(row), 0.0F);
    }
    const auto addPositions = [&] {
        if (positions.kind != AddedPositions::None && !numbers.empty())
            add(engine, result.values(), positions.rows(numbers).values());
    };
    if (!positionsLast)
        addPositions();
    if (const auto added = besidesTokens(engine, source))
        add(engine, result.values(), added->values());
    if (norm)
        normalize(engine, *norm, result);
    if (projection)
        result = projection->apply(engine, result.matrix());
    if (positionsLast)
        addPositions();
    return result;
}

float TokenInput::scaleOf(const Source& source) const
{
    if (!dropped)
        return scale;
    constexpr float trainedShare = 0.12F; // of the tokens that were masked in training
    const auto masks = std::ranges::count(source.ids, *dropped);
    const float kept = 1.0F - static_cast<float>(masks) / static_cast<float>(source.ids.size());
    return kept > 0 ? scale * (1.0F - trainedShare) / kept : scale;
}

std::optional<Tensor> TokenInput::besidesTokens(Engine& engine, const Source& source) const
{
    std::optional<Tensor> added;
    if (segments) {
        // RoBERTa reads pairs without telling the two texts apart: its table has one row.
        std::vector<int> rows(source.ids.size(), 0);
        std::ranges::transform(source.segments, rows.begin(),
                               [last = segments->vocabulary() - 1](int segment) { return std::min(segment, last); });
        added = segments->rows(rows);
    }
    if (tasks) {
        Tensor ofTask = tasks->rows(std::vector<int>(source.ids.size(), 0));
        if (added)
            add(engine, ofTask.values(), added->values());
        added = std::move(ofTask);
    }
    return added;
}

Tensor OutputHead::apply(Engine& engine, NumberView hidden) const
{
    const auto result = [&](NumberView states) {
        Tensor values = logits.apply(engine, states);
        if (cap > 0)
            capped(engine, values.values(), cap);
        return values;
    };
    if (!transform && !norm && scale == 1.0F)
        return result(hidden);
    Tensor states = !transform ? Tensor::of(hidden)
        : activation           ? transform->activated(engine, hidden, *activation)
                               : transform->apply(engine, hidden);
    if (norm)
        normalize(engine, *norm, states);
    if (scale != 1.0F)
        std::ranges::transform(states.values(), states.data(), [this](float value) { return value * scale; });
    return result(states.matrix());
}

void TransformerStack::report(const AttentionRun& run, const AttentionCall& call, const Source& source) const
{
    const StageReport stages = run.stages(call, layer(0).self.attention.settings().shape.heads);
    if (!stages)
        return;
    const TokenId token = source.ids[static_cast<std::size_t>(stages.row())];
    Tensor embedding = input.tokens->rows({&token, 1});
    if (token == input.dropped)
        std::ranges::fill(embedding.values(), 0.0F);
    stages.vector(StageKind::Embedding, embedding.values());
    if (const float factor = input.scaleOf(source); factor != 1.0F)
        stages.vector(StageKind::EmbeddingScale, {&factor, 1});
}

Tensor sinusoidalPositions(std::span<const int> positions, int width, AddedPositions kind)
{
    Tensor table({std::ssize(positions), width});
    const int sines = (width + 1) / 2;
    const double steps = kind == AddedPositions::Sinusoidal ? width / 2.0 : std::max(width / 2 - 1, 1);
    for (int frequency = 0; frequency < sines; ++frequency) {
        const double wavelength = std::pow(10000.0, frequency / steps);
        for (int row = 0; row < indexSize(positions); ++row) {
            const double angle = positions[row] / wavelength;
            const auto values = table.matrix().row(row);
            values[frequency] = static_cast<float>(std::sin(angle));
            if (sines + frequency < width)
                values[sines + frequency] = static_cast<float>(std::cos(angle));
        }
    }
    return table;
}

std::vector<int> PositionTable::numbers(std::span<const TokenId> ids, int first) const
{
    std::vector<int> result;
    result.reserve(ids.size());
    int next = offset + first;
    for (const TokenId id : ids)
        result.push_back(padding == id ? *padding : next++);
    return result;
}

Tensor PositionTable::rows(std::span<const int> numbers) const
{
    if (kind == AddedPositions::Learned)
        return learned->rows(numbers);
    Tensor table = sinusoidalPositions(numbers, width, kind);
    for (int row = 0; row < indexSize(numbers); ++row) {
        if (padding == numbers[row]) // fairseq leaves it empty
            std::ranges::fill(table.matrix().row(row), 0.0F);
    }
    return table;
}

} // namespace attn
