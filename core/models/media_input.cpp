// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/media_input.h"

#include "base/error.h"
#include "media/picture_processor.h"
#include "models/run_checks.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

double cubicWeight(double distance)
{
    constexpr double a = -0.75;
    const double x = std::abs(distance);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

// Taps of one of `to` samples made of `from`; samples beyond an end are those at the end.
struct GridTap
{
    Index sample = 0;
    double weight = 0;
};
using GridTaps = std::vector<std::vector<GridTap>>;

GridTaps cubicTaps(Index from, Index to)
{
    GridTaps result;
    for (Index i = 0; i < to; ++i) {
        const double x = (i + 0.5) * from / to - 0.5;
        const auto first = static_cast<Index>(std::floor(x)) - 1;
        std::vector<GridTap> taps;
        for (Index j = first; j < first + 4; ++j)
            taps.push_back({std::clamp<Index>(j, 0, from - 1), cubicWeight(x - j)});
        result.push_back(std::move(taps));
    }
    return result;
}

GridTaps antialiasedTaps(Index from, Index to)
{
    GridTaps result;
    for (const FilterTaps& filter : filterTaps(Resampling::Bicubic, from, to)) {
        std::vector<GridTap> taps;
        for (Index j = 0; j < indexSize(filter.weights); ++j)
            taps.push_back({filter.first + j, filter.weights[static_cast<std::size_t>(j)]});
        result.push_back(std::move(taps));
    }
    return result;
}

// [patches, channels * height * width], each patch channel by channel.
Tensor patchesOf(const PatchLayout& layout, NumberView pixels)
{
    const PixelSize grid = layout.grid({pixels.rows, pixels.columns});
    Tensor result = Tensor::unset({std::int64_t{grid.height} * grid.width,
                                   std::int64_t{pixels.heads} * layout.patch.height * layout.patch.width});
    float* out = result.data();
    for (Index row = 0; row < grid.height; ++row) {
        for (Index column = 0; column < grid.width; ++column) {
            for (Index channel = 0; channel < pixels.heads; ++channel) {
                for (Index y = 0; y < layout.patch.height; ++y) {
                    const auto line = pixels.row(channel, row * layout.patch.height + y);
                    out = std::copy_n(line.begin() + std::ptrdiff_t{column} * layout.patch.width, layout.patch.width,
                                      out);
                }
            }
        }
    }
    return result;
}

} // namespace

Tensor GridPositions::ofPatches(PixelSize wanted) const
{
    const NumberView all = table.matrix();
    const NumberView stored = all.rowRange(all.rows - grid.height * grid.width, grid.height * grid.width);
    if (wanted == grid)
        return Tensor::of(stored);
    if (interpolation == GridInterpolation::None)
        throw Error(ErrorKind::Input, "picture",
                    fmt::format("is read as {} x {} patches, the model has positions for {} x {}", wanted.height,
                                wanted.width, grid.height, grid.width),
                    "check the sizes in preprocessor_config.json");
    const auto taps = interpolation == GridInterpolation::Cubic ? cubicTaps : antialiasedTaps;
    const GridTaps down = taps(grid.height, wanted.height);
    const GridTaps across = taps(grid.width, wanted.width);
    Tensor result({std::int64_t{wanted.height} * wanted.width, all.columns});
    std::vector<double> sums(static_cast<std::size_t>(all.columns));
    Index place = 0;
    for (const auto& rowTaps : down) {
        for (const auto& columnTaps : across) {
            std::ranges::fill(sums, 0.0);
            for (const GridTap& y : rowTaps) {
                for (const GridTap& x : columnTaps) {
                    const auto row = stored.row(y.sample * grid.width + x.sample);
                    for (std::size_t i = 0; i < sums.size(); ++i)
                        sums[i] += y.weight * x.weight * double{row[i]};
                }
            }
            std::ranges::transform(sums, result.matrix().row(place++).begin(),
                                   [](double sum) { return static_cast<float>(sum); });
        }
    }
    return result;
}

PatchInput::PatchInput(PatchLayout layout, PatchWeights weights)
    : m_layout(std::move(layout))
    , m_weights(std::move(weights))
{
}

Tensor MediaInput::rows(Engine& engine, NumberView input, bool with) const
{
    Tensor result = embedded(engine, input);
    if (with)
        add(engine, result.values(), positions(input).values());
    if (norm())
        normalize(engine, *norm(), result);
    return result;
}

Tensor PatchInput::embedded(Engine& engine, NumberView input) const
{
    const Tensor patches = m_weights.projection.apply(engine, patchesOf(m_layout, input).matrix());
    Tensor result = Tensor::unset({indexSize(m_layout.specials) + patches.dim(0), patches.dim(1)});
    float* out = result.data();
    for (const Tensor* part : {&m_weights.specials, &m_weights.registers, &patches})
        out = std::ranges::copy(part->values(), out).out;
    return result;
}

Tensor PatchInput::positions(NumberView input) const
{
    const Tensor ofPatches = m_weights.positions.ofPatches(m_layout.grid({input.rows, input.columns}));
    Tensor result({indexSize(m_layout.specials) + ofPatches.dim(0), ofPatches.dim(1)});
    const std::size_t specials = m_weights.specials.values().size();
    std::ranges::copy(m_weights.positions.table.values().first(specials), result.data());
    std::ranges::copy(ofPatches.values(), result.values().last(ofPatches.values().size()).begin());
    return result;
}

std::uint64_t PatchInput::workBytes(std::uint64_t source) const
{
    constexpr int copies = 3; // projected, with positions, joined
    return floatBytes(source, m_weights.projection.inputs() + copies * m_weights.projection.outputs());
}

SoundInput::SoundInput(Convolution first, Convolution second, Tensor positions)
    : m_first(std::move(first))
    , m_second(std::move(second))
    , m_positions(std::move(positions))
{
}

Tensor SoundInput::embedded(Engine& engine, NumberView input) const
{
    const Index columns = m_second.shape().columnsOf(m_first.shape().columnsOf(input.columns));
    if (input.rows != m_first.shape().inputs || columns != m_positions.dim(0))
        throw Error(ErrorKind::Input, "sound",
                    fmt::format("is read as {} bands in {} columns, the model reads {} in {}", input.rows, columns,
                                m_first.shape().inputs, m_positions.dim(0)),
                    "check preprocessor_config.json");
    Numbers maps = m_first.apply(engine, {input.data, input.rows, 1, input.columns}); // bands are channels
    activate(engine, Activation::Gelu, maps.values);
    maps = m_second.apply(engine, maps);
    activate(engine, Activation::Gelu, maps.values);
    Tensor result = Tensor::unset({maps.columns, maps.heads});
    const MutableView rows = result.matrix();
    for (Index channel = 0; channel < maps.heads; ++channel) {
        const auto column = maps.view().row(channel, 0);
        for (Index row = 0; row < rows.rows; ++row)
            rows.at(row, channel) = column[static_cast<std::size_t>(row)];
    }
    return result;
}

Tensor SoundInput::positions(NumberView /*input*/) const
{
    return m_positions;
}

std::uint64_t SoundInput::workBytes(std::uint64_t source) const
{
    constexpr int copies = 8; // two of each frame before, one of each column, three unfolded, turned and with positions
    return floatBytes(source, copies * m_positions.dim(1));
}

} // namespace attn
