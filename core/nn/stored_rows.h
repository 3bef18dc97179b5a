// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn {

// y[o] = sum over i of w[o, i] x[i] for `count` stored rows of `inputs` weights, `rowBytes` apart. Each weight is
// widened to the float32 that toFloat32 gives; the sums run in one order for all types, 64 side by side.
using StoredRows = void (*)(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                            const float* x, float* y);

// The product for rows of a type on this processor, with AVX-512 or AVX2 where it has them; null: there is none.
StoredRows storedRows(DType type);

// A row of inputs rounded to 8 bits: values times the scale of their block, which is as long as the weights' is.
struct RoundedView
{
    const std::int8_t* values = nullptr; // -127 to 127
    const float* scales = nullptr;
    const std::int16_t* sums = nullptr; // of sixteen values each
};

// The same products with such inputs, in whole numbers within a block.
using RoundedRows = void (*)(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                             RoundedView x, float* y);
RoundedRows roundedRows(DType type); // likewise

// Panels: sixteen stored rows by eight rows of inputs.
constexpr int panelOutputs = 16;
constexpr int panelInputs = 8;

// Values of a block that share a scale in panels; static, as stored_rows.cpp asks of what it shares.
static inline constexpr int panelGroup(DType type)
{
    return type == DType::Q2_K || type == DType::Q3_K || type == DType::Q6_K ? 16 : 32;
}

// Eight rows of rounded inputs side by side.
struct RoundedPanelView
{
    const std::uint32_t* values = nullptr; // [inputs / 4][8], four values each
    const std::int32_t* sums =
        nullptr; // [inputs / 32][8], of as many values; of types in groups of 16, [inputs / 16][8]
    const float* scales = nullptr; // [inputs / values of a block][8]
};

// The products of `count`, at most sixteen, stored rows with the panels x: y is [panels][8][16]. room:
// panelRoom(inputs) bytes that are aligned to 64.
using RoundedPanels = void (*)(const std::byte* rows, std::size_t rowBytes, int count, std::int64_t inputs,
                               std::span<const RoundedPanelView> x, std::byte* room, float* y);
RoundedPanels roundedPanels(DType type); // null: there is none on this processor
std::size_t panelRoom(std::int64_t inputs);

} // namespace attn
