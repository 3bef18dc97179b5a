// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/picture_encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace attn {

namespace {

// All pixels of some channels.
std::span<float> channelsOf(Numbers& values, Index first, Index count)
{
    const std::size_t size = std::size_t(values.rows) * std::size_t(values.columns);
    return std::span<float>(values.values.data(), values.values.size()).subspan(first * size, count * size);
}

void scaleChannels(Numbers& values, const Tensor& scale, const Tensor& shift)
{
    for (Index channel = 0; channel < values.heads; ++channel) {
        const float factor = scale.data()[channel];
        const float summand = shift.data()[channel];
        for (float& value : channelsOf(values, channel, 1))
            value = value * factor + summand;
    }
}

void normalizeGroups(Numbers& values, const GroupNorm& norm)
{
    const Index channels = values.heads / norm.groups;
    for (Index group = 0; group < norm.groups; ++group) {
        const std::span<float> part = channelsOf(values, group * channels, channels);
        double sum = 0;
        for (const float value : part)
            sum += value;
        const double mean = sum / static_cast<double>(part.size());
        double squares = 0;
        for (const float value : part)
            squares += (value - mean) * (value - mean);
        const double deviation = std::sqrt(squares / static_cast<double>(part.size()) + norm.epsilon);
        for (float& value : part)
            value = static_cast<float>((value - mean) / deviation);
    }
    scaleChannels(values, norm.scale, norm.shift);
}

Numbers pooled(const WindowPool& pool, const Numbers& input)
{
    const auto windows = [&](Index size) { return windowsIn(size, pool.kernel, pool.stride, pool.padding); };
    Numbers result = Numbers::unset(input.heads, windows(input.rows), windows(input.columns));
    const MutableView out = result.view();
    const NumberView in = input.view();
    for (Index channel = 0; channel < out.heads; ++channel) {
        for (Index y = 0; y < out.rows; ++y) {
            for (Index x = 0; x < out.columns; ++x) {
                const Index top = y * pool.stride - pool.padding;
                const Index left = x * pool.stride - pool.padding;
                float largest = -std::numeric_limits<float>::infinity();
                float sum = 0;
                for (Index row = std::max(top, 0); row < std::min(top + pool.kernel, in.rows); ++row) {
                    for (Index column = std::max(left, 0); column < std::min(left + pool.kernel, in.columns);
                         ++column) {
                        const float value = in.at(channel, row, column);
                        largest = largest < value || std::isnan(value) ? value : largest;
                        sum += value;
                    }
                }
                out.at(channel, y, x) = pool.largest ? largest : sum / static_cast<float>(pool.kernel * pool.kernel);
            }
        }
    }
    return result;
}

Numbers runAll(Engine& engine, const std::vector<PictureLayer>& layers, Numbers values,
               const std::function<void()>& between);

struct LayerRun
{
    Engine& engine;
    Numbers& values;
    const std::function<void()>& between;

    void operator()(const Convolution& layer) const { values = layer.apply(engine, values); }
    void operator()(const ChannelScale& layer) const { scaleChannels(values, layer.scale, layer.shift); }
    void operator()(const GroupNorm& layer) const { normalizeGroups(values, layer); }
    void operator()(Activation layer) const { activate(engine, layer, channelsOf(values, 0, values.heads)); }
    void operator()(const WindowPool& layer) const { values = pooled(layer, values); }
    void operator()(const std::unique_ptr<const ResidualLayers>& layer) const
    {
        const Numbers beside = runAll(engine, layer->shortcut, values, between);
        values = runAll(engine, layer->body, std::move(values), between);
        add(engine, channelsOf(values, 0, values.heads), beside.view().values());
    }
};

Numbers runAll(Engine& engine, const std::vector<PictureLayer>& layers, Numbers values,
               const std::function<void()>& between)
{
    for (const PictureLayer& layer : layers) {
        between();
        std::visit(LayerRun{engine, values, between}, layer);
    }
    return values;
}

} // namespace

Tensor PictureEncoder::run(Engine& engine, NumberView pixels, const std::function<void()>& between) const
{
    const Numbers made = runAll(engine, layers, Numbers::of(pixels), between);
    const NumberView maps = made.view();
    Tensor cells = Tensor::unset({std::int64_t{maps.rows} * maps.columns, maps.heads});
    const MutableView rows = cells.matrix();
    for (Index channel = 0; channel < maps.heads; ++channel) {
        for (Index cell = 0; cell < rows.rows; ++cell)
            rows.at(cell, channel) = maps.at(channel, cell / maps.columns, cell % maps.columns);
    }
    if (!positions.empty())
        add(engine, cells.values(), positions.values());
    return cells;
}

} // namespace attn
