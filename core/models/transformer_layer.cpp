// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace attn {

namespace {

void scaleFeatures(MutableView rows, std::span<const float> scales)
{
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::transform(rows.row(row), scales, rows.row(row).begin(), std::multiplies<>());
}

// The row that the capture asks for, of those that a layer computes; most often none.
struct ReportedRow
{
    StageReport stages;
    Index row = 0;

    static ReportedRow of(const AttentionRun& run, const MultiHeadAttention& attention,
                          std::span<const AttentionGroup> groups)
    {
        for (const AttentionGroup& group : groups) {
            if (const StageReport stages = run.stages(group.call, attention.settings().shape.heads))
                return {stages, group.firstInput + stages.row()};
        }
        return {};
    }
    void report(StageKind kind, const Tensor& rows) const
    {
        if (stages)
            stages.vector(kind, rows.matrix().row(row));
    }
};

// Residual connection as Residual says, where block(input, sums) adds f(input) to sums, which may be the input, and
// returns which row it reports.
template<typename Block>
void addResidual(Engine& engine, Tensor& rows, const Residual& residual, const Block& block)
{
    ReportedRow reported;
    Tensor input;
    if (residual.input) {
        input = rows;
        normalize(engine, *residual.input, input);
        if (residual.passesNormed)
            rows = input;
    }
    const NumberView read = residual.input ? std::as_const(input).matrix() : std::as_const(rows).matrix();
    if (residual.output || residual.scale != 1.0F || residual.featureScales) {
        Tensor made(rows.shape());
        reported = block(read, made.matrix());
        if (residual.output)
            normalize(engine, *residual.output, made);
        if (residual.scale != 1.0F)
            std::ranges::transform(made.values(), made.data(), [&](float value) { return value * residual.scale; });
        if (residual.featureScales)
            scaleFeatures(made.matrix(), residual.featureScales->values());
        reported.report(StageKind::Added, made);
        add(engine, rows.values(), made.values());
    } else {
        reported = block(read, rows.matrix());
    }
    reported.report(StageKind::Sum, rows);
    if (!residual.sum)
        return;
    normalize(engine, *residual.sum, rows);
    reported.report(StageKind::NormedSum, rows);
}

// Rows that f is computed from.
Tensor normalizedInput(Engine& engine, const Tensor& rows, const Residual& residual)
{
    Tensor input = rows;
    if (residual.input)
        normalize(engine, *residual.input, input);
    return input;
}

// Attention and feed-forward network of the same rows, side by side (GPT-J, Wang and Komatsuzaki 2021).
Routed applySideBySide(const TransformerLayer& layer, const AttentionRun& run, Tensor& rows,
                       const AttentionBlockLayer::Grouping& selfGroups)
{
    Engine& engine = run.engine;
    const MultiHeadAttention& attention = layer.self.attention;
    const FeedForward& feedForward = layer.feedForward;
    const Tensor input = normalizedInput(engine, rows, layer.self.residual);
    const Tensor own = feedForward.residual.input ? normalizedInput(engine, rows, feedForward.residual) : Tensor();
    const NumberView other = own.empty() ? input.matrix() : own.matrix();
    const std::vector<AttentionGroup> groups = selfGroups(input.matrix());
    const ReportedRow reported = ReportedRow::of(run, attention, groups);
    reported.report(StageKind::State, rows);
    attention.addTo(run, input.matrix(), groups, rows.matrix());
    if (reported.stages) {
        Tensor added({1, rows.dim(1)});
        feedForward.addTo(engine, other.row(reported.row), added.matrix());
        reported.stages.vector(StageKind::FeedForward, added.values());
    }
    Routed routed = feedForward.addTo(engine, other, rows.matrix());
    reported.report(StageKind::Sum, rows);
    return routed;
}

} // namespace

void AttentionBlockLayer::apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const
{
    addResidual(run.engine, rows, residual, [&](NumberView input, MutableView sums) {
        const std::vector<AttentionGroup> made = groups(input);
        const ReportedRow reported = ReportedRow::of(run, attention, made);
        reported.report(StageKind::State, rows);
        attention.addTo(run, input, made, sums);
        return reported;
    });
}

// Self-attention, attention to the source, feed-forward network, each in its residual connection.
Routed TransformerLayer::apply(const AttentionRun& run, Tensor& rows, const AttentionBlockLayer::Grouping& selfGroups,
                               const AttentionBlockLayer::Grouping& crossGroups) const
{
    if (parallel)
        return applySideBySide(*this, run, rows, selfGroups);
    self.apply(run, rows, selfGroups);
    if (cross)
        cross->apply(run, rows, crossGroups);
    Routed routed;
    addResidual(run.engine, rows, feedForward.residual, [&](NumberView input, MutableView sums) {
        routed = feedForward.addTo(run.engine, input, sums);
        return ReportedRow();
    });
    return routed;
}

void ConvolutionBeside::apply(Engine& engine, NumberView input, Tensor& rows) const
{
    const int width = input.columns;
    Tensor around({input.rows, std::int64_t{size} * width}); // zeros beyond the ends of the text
    for (int row = 0; row < input.rows; ++row) {
        for (int part = 0; part < size; ++part) {
            const int from = row + part - size / 2;
            if (from >= 0 && from < input.rows)
                std::ranges::copy(input.row(from),
                                  around.matrix().row(row).begin() + static_cast<std::ptrdiff_t>(part) * width);
        }
    }
    add(engine, rows.values(), kernel.activated(engine, around.matrix(), activation).values());
    normalize(engine, norm, rows);
}

} // namespace attn
