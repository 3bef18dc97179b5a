// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/stage_report.h"

#include <cstddef>
#include <numeric>
#include <vector>

namespace attn {

namespace {

std::span<const float> partOf(HeadRows rows, int row, int part, int width)
{
    const float* const from = rows.data + std::ptrdiff_t{row} * rows.stride + std::ptrdiff_t{part} * width;
    return {from, static_cast<std::size_t>(width)};
}

} // namespace

void StageReport::vector(StageKind kind, std::span<const float> values) const
{
    if (m_sink != nullptr)
        m_sink->stage({kind, 1, static_cast<int>(values.size()), values});
}

void StageReport::matrix(StageKind kind, MatrixView values) const
{
    const auto size = static_cast<std::size_t>(values.rows) * static_cast<std::size_t>(values.columns);
    if (m_sink != nullptr)
        m_sink->stage({kind, values.rows, values.columns, {values.data, size}});
}

void StageReport::ofMaps(StageKind kind, std::span<const float> maps, int rows, int columns) const
{
    if (m_sink != nullptr)
        vector(kind, MatrixView{maps.data(), rows, columns}.row(m_head * rows + m_row));
}

void StageReport::ofHead(StageKind kind, HeadRows rows, HeadShape shape) const
{
    if (m_sink != nullptr)
        vector(kind, partOf(rows, m_row, m_head, shape.width));
}

void StageReport::allOfHead(StageKind kind, HeadRows rows, HeadShape shape) const
{
    if (m_sink == nullptr)
        return;
    std::vector<float> values;
    for (int row = 0; row < rows.rows; ++row) {
        const auto part = partOf(rows, row, m_head / shape.sharing, shape.width);
        values.insert(values.end(), part.begin(), part.end());
    }
    matrix(kind, {values.data(), rows.rows, shape.width});
}

void StageReport::products(std::span<const float> query, HeadRows keys, float scale) const
{
    if (m_sink == nullptr)
        return;
    std::vector<float> products;
    for (int row = 0; row < keys.rows; ++row) {
        const auto key = partOf(keys, row, 0, static_cast<int>(query.size()));
        products.push_back(std::inner_product(query.begin(), query.end(), key.begin(), 0.0F));
    }
    vector(StageKind::Products, products);
    vector(StageKind::Scale, {&scale, 1});
}

} // namespace attn
