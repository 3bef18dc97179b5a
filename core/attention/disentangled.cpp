// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/disentangled.h"

#include "attention/score.h"
#include "nn/matmul.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

namespace attn {

int DistanceRows::row(int distance) const
{
    int bucket = distance;
    const int half = buckets / 2;
    if (buckets > 0 && std::abs(distance) > half) {
        // In float32, as the models were trained with it: the borders of the buckets depend on the rounding.
        const auto middle = static_cast<float>(half);
        const float share = std::log(static_cast<float>(std::abs(distance)) / middle)
            / std::log(static_cast<float>(positions - 1) / middle);
        const int wide = half + static_cast<int>(std::ceil(share * (middle - 1)));
        bucket = distance < 0 ? -wide : wide;
    }
    return std::clamp(bucket + span, 0, 2 * span - 1);
}

DisentangledPositions::DisentangledPositions(DistanceRows distances, int heads, Tensor keys, Tensor queries)
    : m_distances(distances)
    , m_heads(heads)
    , m_keys(std::move(keys))
    , m_queries(std::move(queries))
{
}

void DisentangledPositions::add(Engine& engine, const QueryKeyScores& of, Index firstHead, MutableView scores) const
{
    // Rows of the table by distance, from the last query and the first key on.
    std::vector<int> rows;
    const int last = of.firstRow + scores.rows - 1;
    for (int distance = last; distance > last - scores.rows - scores.columns; --distance)
        rows.push_back(m_distances.row(distance));
    const auto rowOf = [&](int query, int key) { return rows[scores.rows - 1 - query + key]; };
    const auto projected = [&](const Tensor& table) {
        return table.matrix().split(m_heads).headRange(firstHead, scores.heads);
    };
    if (!m_keys.empty()) {
        Numbers products = Numbers::unset(scores.heads, scores.rows, 2 * m_distances.span);
        queryKeyProduct(engine, of.queries.headRange(firstHead, scores.heads), projected(m_keys), of.scale,
                        products.view());
        for (int head = 0; head < scores.heads; ++head) {
            for (int query = 0; query < scores.rows; ++query) {
                for (int key = 0; key < scores.columns; ++key)
                    scores.at(head, query, key) += products.view().at(head, query, rowOf(query, key));
            }
        }
    }
    if (!m_queries.empty()) {
        Numbers products = Numbers::unset(scores.heads, scores.columns, 2 * m_distances.span);
        queryKeyProduct(engine, of.keys.headRange(firstHead, scores.heads), projected(m_queries), of.scale,
                        products.view());
        for (int head = 0; head < scores.heads; ++head) {
            for (int query = 0; query < scores.rows; ++query) {
                for (int key = 0; key < scores.columns; ++key)
                    scores.at(head, query, key) += products.view().at(head, key, rowOf(query, key));
            }
        }
    }
}

void DisentangledPositions::addGradient(const QueryKeyScores& of, NumberView gradient, MutableView queries,
                                        MutableView keys) const
{
    const auto addTo = [&](std::span<float> sums, float factor, const Tensor& table, Index head, int row) {
        const auto values = table.matrix().split(m_heads).row(head, row);
        std::ranges::transform(sums, values, sums.begin(),
                               [factor](float sum, float value) { return sum + factor * value; });
    };
    for (Index head = 0; head < gradient.heads; ++head) {
        for (Index query = 0; query < gradient.rows; ++query) {
            for (Index key = 0; key < gradient.columns; ++key) {
                const float factor = of.scale * gradient.at(head, query, key);
                const int row = m_distances.row(of.firstRow + query - key);
                if (!m_keys.empty())
                    addTo(queries.row(head, query), factor, m_keys, head, row);
                if (!m_queries.empty())
                    addTo(keys.row(head, key), factor, m_queries, head, row);
            }
        }
    }
}

void DisentangledPositions::report(const StageReport& stages, const QueryKeyScores& of) const
{
    const int query = of.firstRow + stages.row();
    const auto product = [&](std::span<const float> left, const Tensor& table, int key) {
        const auto right = table.matrix().split(m_heads).row(stages.head(), m_distances.row(query - key));
        return std::inner_product(left.begin(), left.end(), right.begin(), 0.0F);
    };
    std::vector<float> contentToPosition;
    std::vector<float> positionToContent;
    for (int key = 0; key < of.keys.rows; ++key) {
        if (!m_keys.empty())
            contentToPosition.push_back(product(of.queries.row(stages.head(), stages.row()), m_keys, key));
        if (!m_queries.empty())
            positionToContent.push_back(product(of.keys.row(stages.head(), key), m_queries, key));
    }
    if (!m_keys.empty())
        stages.vector(StageKind::ContentToPosition, contentToPosition);
    if (!m_queries.empty())
        stages.vector(StageKind::PositionToContent, positionToContent);
}

std::optional<float> DisentangledPositions::bias(int /*query*/, int /*key*/, int /*head*/) const
{
    return std::nullopt;
}

} // namespace attn
