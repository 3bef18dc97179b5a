// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/stage_report.h"

#include <numeric>
#include <vector>

namespace attn {

void StageReport::vector(StageKind kind, std::span<const float> values) const
{
    matrix(kind, values);
}

void StageReport::matrix(StageKind kind, NumberView values) const
{
    if (m_sink != nullptr)
        m_sink->stage({kind, values});
}

void StageReport::rowOf(StageKind kind, NumberView rows) const
{
    if (m_sink != nullptr)
        vector(kind, rows.row(m_head, m_row));
}

void StageReport::allOf(StageKind kind, NumberView rows) const
{
    if (m_sink != nullptr)
        matrix(kind, ofHead(rows));
}

void StageReport::products(NumberView queries, NumberView keys, float scale) const
{
    if (m_sink == nullptr)
        return;
    const auto query = queries.row(m_head, m_row);
    const NumberView own = ofHead(keys);
    std::vector<float> products;
    for (int row = 0; row < own.rows; ++row)
        products.push_back(std::inner_product(query.begin(), query.end(), own.row(row).begin(), 0.0F));
    vector(StageKind::Products, products);
    vector(StageKind::Scale, {&scale, 1});
}

} // namespace attn
