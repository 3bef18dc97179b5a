// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/stored_rows.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// The largest of them; NaN where one is.
double magnitudeOf(std::span<const float> values);

// A row of inputs rounded to 8 bits, with a scale for each block of them.
struct RoundedRow
{
    std::vector<std::int8_t> values;
    std::vector<float> scales;
    std::vector<std::int16_t> sums;

    RoundedView view() const { return {values.data(), scales.data(), sums.data()}; }
};

// The scale is that of `block` values.
RoundedRow roundedRow(std::span<const float> input, int block);
// Rounded rows as numbers.
Tensor roundedRowsOf(NumberView input, int block);

// Rows of rounded inputs in panels, whose sums are those of `group` values.
class PanelInputs
{
public:
    PanelInputs(NumberView input, int block, int group);
    std::vector<RoundedPanelView> views() const;

private:
    // Place i of a row, of which there is one for so many inputs.
    std::size_t place(int row, std::size_t i, int each) const;
    void put(int row, const RoundedRow& rounded);

    int m_inputs;
    int m_block;
    int m_group;
    std::vector<std::uint32_t> m_values;
    std::vector<std::int32_t> m_sums;
    std::vector<float> m_scales;
};

} // namespace attn
