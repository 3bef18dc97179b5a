// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "nn/linear.h"
#include "nn/linear_products.h"
#include "nn/rounded_inputs.h"

#include <algorithm>
#include <functional>
#include <omp.h>
#include <optional>
#include <span>
#include <vector>

namespace attn {

void Linear::multiplyRows(Engine& engine, NumberView input, MutableView output, std::int64_t work,
                          FusedSteps then) const
{
    constexpr int chunk = 32; // outputs
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const int chunks = (m_outputs + chunk - 1) / chunk;
    std::vector<RoundedRow> rounded;
    std::optional<Tensor> numbers; // of what is rounded
    if (m_roundedBlock > 0 && m_stored->multiplyRounded != nullptr) {
        for (int row = 0; row < input.rows; ++row)
            rounded.push_back(roundedRow(input.row(row), m_roundedBlock));
    } else if (m_roundedBlock > 0) {
        numbers = roundedRowsOf(input, m_roundedBlock);
        input = numbers->matrix();
    }
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Linear, primitives.threadsFor(work), {input.rows, m_inputs, m_outputs}};
    primitives.guard(key, [&] {
#pragma omp parallel for schedule(static)
        for (int part = 0; part < chunks * input.rows; ++part) {
            const int row = part % input.rows;
            const int first = part / input.rows * chunk;
            const int count = std::min(chunk, m_outputs - first);
            const std::byte* const rows = weights.bytes.data() + static_cast<std::size_t>(first) * rowBytes;
            float products[chunk];
            if (rounded.empty())
                m_stored->multiply(rows, rowBytes, count, m_inputs, input.row(row).data(), products);
            else
                m_stored->multiplyRounded(rows, rowBytes, count, m_inputs,
                                          rounded[static_cast<std::size_t>(row)].view(), products);
            put({products, static_cast<std::size_t>(count)}, first, then, output.row(row));
        }
    });
    primitives.count(work, weights.bytes.size());
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

// Whole numbers, many rows.
void Linear::multiplyRounded(Engine& engine, NumberView input, MutableView output, std::int64_t work,
                             FusedSteps then) const
{
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const int panels = (m_outputs + panelOutputs - 1) / panelOutputs;
    const PanelInputs inputs(input, m_roundedBlock, panelGroup(weights.dtype));
    const std::vector<RoundedPanelView> views = inputs.views();
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Linear, primitives.threadsFor(work), {input.rows, m_inputs, m_outputs}};
    const std::size_t roomBytes =
        (panelRoom(m_inputs) + views.size() * panelInputs * panelOutputs * sizeof(float) + 63) / 64 * 64;
    const AlignedBuffer rooms(roomBytes * static_cast<std::size_t>(key.threads));
    primitives.guard(key, [&] {
#pragma omp parallel for schedule(static)
        for (int panel = 0; panel < panels; ++panel) {
            const int first = panel * panelOutputs;
            const int count = std::min(panelOutputs, m_outputs - first);
            const std::byte* const rows = weights.bytes.data() + static_cast<std::size_t>(first) * rowBytes;
            std::byte* const room = rooms.data() + static_cast<std::size_t>(omp_get_thread_num()) * roomBytes;
            auto* const products = reinterpret_cast<float*>(room + panelRoom(m_inputs));
            m_stored->multiplyPanels(rows, rowBytes, count, m_inputs, views, room, products);
            for (int row = 0; row < input.rows; ++row)
                put({products + row * panelOutputs, static_cast<std::size_t>(count)}, first, then, output.row(row));
        }
    });
    primitives.count(work, weights.bytes.size());
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

// Products of some outputs into their row, with the bias.
void Linear::put(std::span<const float> products, int first, FusedSteps then, std::span<float> row) const
{
    for (int i = 0; i < indexSize(products); ++i) {
        float& target = row[static_cast<std::size_t>(first + i)];
        const float shifted = m_bias.empty() ? products[i] : products[i] + m_bias.data()[first + i];
        target = then.adds ? shifted + target : shifted;
    }
}

// Some outputs after the other, whose weights are widened for this product.
void Linear::multiplyPanels(Engine& engine, NumberView input, MutableView output, FusedSteps then) const
{
    constexpr std::int64_t panelBytes = std::int64_t{8} << 20;
    constexpr std::int64_t panelBlock = 256; // a multiple of every block that a packed layout has
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const std::int64_t fitting = panelBytes / (std::int64_t{m_inputs} * 4) / panelBlock * panelBlock;
    const std::int64_t step = std::max(panelBlock, fitting);
    for (std::int64_t first = 0; first < m_outputs; first += step) {
        const std::int64_t count = std::min(step, m_outputs - first);
        const auto bytes = weights.bytes.subspan(static_cast<std::size_t>(first) * rowBytes,
                                                 static_cast<std::size_t>(count) * rowBytes);
        const auto own = m_bias.empty() ? std::span<const float>{} : m_bias.values().subspan(first, count);
        const Tensor bias = own.empty() ? Tensor() : Tensor({count}, {own.begin(), own.end()});
        Linear panel(engine, WeightMatrix{{weights.dtype, {count, m_inputs}, bytes}, false, 0, count}, bias);
        panel.m_roundedBlock = 0; // the input is, already
        const Tensor products = panel.apply(engine, input);
        for (int row = 0; row < input.rows; ++row) {
            const auto from = products.matrix().row(row);
            const auto to = output.row(row).subspan(static_cast<std::size_t>(first), from.size());
            if (then.adds)
                std::ranges::transform(from, to, to.begin(), std::plus());
            else
                std::ranges::copy(from, to.begin());
        }
    }
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

void Linear::check() const
{
    if (m_stored->check)
        m_stored->check();
}

} // namespace attn
