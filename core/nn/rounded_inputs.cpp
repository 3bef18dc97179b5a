// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/rounded_inputs.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace attn {

namespace {

// Rows of whole panels.
std::size_t panelRows(int rows)
{
    return static_cast<std::size_t>((rows + panelInputs - 1) / panelInputs * panelInputs);
}

} // namespace

double magnitudeOf(std::span<const float> values)
{
    if (values.empty())
        return 0;
    const Eigen::Map<const Eigen::ArrayXf> all(values.data(), std::ssize(values));
    return all.abs().maxCoeff<Eigen::PropagateNaN>();
}

RoundedRow roundedRow(std::span<const float> input, int block)
{
    constexpr int summed = 16;
    constexpr float most = 127;
    RoundedRow result{std::vector<std::int8_t>(input.size()), {}, std::vector<std::int16_t>(input.size() / summed)};
    for (std::size_t first = 0; first < input.size(); first += static_cast<std::size_t>(block)) {
        const auto values = input.subspan(first, static_cast<std::size_t>(block));
        const auto largest = static_cast<float>(magnitudeOf(values));
        result.scales.push_back(largest / most); // NaN or infinite, it says so of all products
        const float inverse = largest > 0 ? most / largest : 0;
        const std::span<std::int8_t> rounded = std::span(result.values).subspan(first, values.size());
        if (std::isfinite(largest) && std::isfinite(inverse))
            Eigen::Map<Eigen::Array<std::int8_t, Eigen::Dynamic, 1>>(rounded.data(), block) =
                (Eigen::Map<const Eigen::ArrayXf>(values.data(), block) * inverse).rint().cast<std::int8_t>();
        else
            std::ranges::fill(rounded, std::int8_t{1});
    }
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.sums[i / summed] = static_cast<std::int16_t>(result.sums[i / summed] + result.values[i]);
    return result;
}

Tensor roundedRowsOf(NumberView input, int block)
{
    Tensor result = Tensor::unset({input.rows, input.columns});
    for (Index row = 0; row < input.rows; ++row) {
        const RoundedRow rounded = roundedRow(input.row(row), block);
        const auto to = result.matrix().row(row);
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<float>(rounded.values[i]) * rounded.scales[i / static_cast<std::size_t>(block)];
    }
    return result;
}

PanelInputs::PanelInputs(NumberView input, int block, int group)
    : m_inputs(input.columns)
    , m_block(block)
    , m_group(group)
{
    m_values.resize(panelRows(input.rows) * static_cast<std::size_t>(m_inputs) / 4);
    m_sums.resize(panelRows(input.rows) * static_cast<std::size_t>(m_inputs / group));
    m_scales.resize(panelRows(input.rows) * static_cast<std::size_t>(m_inputs / block));
    for (int row = 0; row < input.rows; ++row)
        put(row, roundedRow(input.row(row), block));
}

std::vector<RoundedPanelView> PanelInputs::views() const
{
    std::vector<RoundedPanelView> result;
    for (std::size_t i = 0; i * panelInputs * static_cast<std::size_t>(m_inputs) / 4 < m_values.size(); ++i) {
        const auto at = [&](int each) { return i * panelInputs * static_cast<std::size_t>(m_inputs / each); };
        result.push_back({&m_values[at(4)], &m_sums[at(m_group)], &m_scales[at(m_block)]});
    }
    return result;
}

std::size_t PanelInputs::place(int row, std::size_t i, int each) const
{
    const auto panel = static_cast<std::size_t>(row / panelInputs);
    return (panel * static_cast<std::size_t>(m_inputs / each) + i) * panelInputs
        + static_cast<std::size_t>(row % panelInputs);
}

void PanelInputs::put(int row, const RoundedRow& rounded)
{
    constexpr int together = 4;
    for (std::size_t i = 0; i < rounded.values.size() / together; ++i)
        std::memcpy(&m_values[place(row, i, together)], &rounded.values[i * together], together);
    const std::size_t summed = static_cast<std::size_t>(m_group) / 16;
    for (std::size_t i = 0; i < rounded.sums.size(); ++i)
        m_sums[place(row, i / summed, m_group)] += rounded.sums[i];
    for (std::size_t i = 0; i < rounded.scales.size(); ++i)
        m_scales[place(row, i, m_block)] = rounded.scales[i];
}

} // namespace attn
