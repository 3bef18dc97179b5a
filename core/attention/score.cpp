// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score.h"

#include "nn/activation.h"
#include "nn/elementwise.h"

#include <utility>

namespace attn {

namespace {

std::vector<float> valuesOf(MatrixView matrix)
{
    return {matrix.data, matrix.data + std::ptrdiff_t{matrix.rows} * matrix.columns};
}

} // namespace

AdditiveScore::AdditiveScore(Linear query, Linear key, Linear v)
    : m_query(std::move(query))
    , m_key(std::move(key))
    , m_v(std::move(v))
{
}

Tensor AdditiveScore::prepareKeys(Engine& engine, MatrixView annotations) const
{
    return m_key.apply(engine, annotations);
}

void AdditiveScore::compute(Engine& engine, MatrixView queries, MatrixView keys, float* scores,
                            const StageReport& stages) const
{
    const Tensor projected = m_query.apply(engine, queries);
    Tensor hidden({projected.dim(0) * keys.rows, keys.columns});
    addToRows(engine, projected.matrix(), keys, hidden.data());
    activate(engine, Activation::Tanh, hidden.values());
    m_v.apply(engine, hidden.matrix(), scores);
    if (!stages)
        return;
    stages.vector(StageKind::Query, queries.row(stages.row()));
    stages.vector(StageKind::ProjectedQuery, projected.matrix().row(stages.row()));
    stages.matrix(StageKind::ProjectedKeys, keys);
    const float* const own = hidden.matrix().row(stages.row() * keys.rows).data();
    stages.matrix(StageKind::TanhLayer, {own, keys.rows, keys.columns});
    stages.vector(StageKind::ScoreVector, weightsOf(engine, m_v, 0));
}

ProductScore::ProductScore(std::optional<Linear> query, std::optional<Linear> key, float scale)
    : m_query(std::move(query))
    , m_key(std::move(key))
    , m_scale(scale)
{
}

Tensor ProductScore::prepareKeys(Engine& engine, MatrixView annotations) const
{
    if (m_key)
        return m_key->apply(engine, annotations);
    return {{annotations.rows, annotations.columns}, valuesOf(annotations)};
}

void ProductScore::compute(Engine& engine, MatrixView queries, MatrixView keys, float* scores,
                           const StageReport& stages) const
{
    const Tensor projected = m_query ? m_query->apply(engine, queries) : Tensor();
    const MatrixView scored = m_query ? projected.matrix() : queries;
    const HeadRows keyRows{keys.data, keys.rows, keys.columns};
    queryKeyProduct(engine, {1, scored.columns}, {scored.data, scored.rows, scored.columns}, keyRows, m_scale, scores);
    if (!stages)
        return;
    stages.vector(StageKind::Query, queries.row(stages.row()));
    if (m_query)
        stages.vector(StageKind::ProjectedQuery, scored.row(stages.row()));
    stages.matrix(m_key ? StageKind::ProjectedKeys : StageKind::Keys, keys);
    stages.products(scored.row(stages.row()), keyRows, m_scale);
}

std::vector<float> weightsOf(Engine& engine, const Linear& layer, int row)
{
    const int size = layer.inputs();
    Tensor units({size, size});
    for (int i = 0; i < size; ++i)
        units.data()[std::ptrdiff_t{i} * (size + 1)] = 1;
    const Tensor answers = layer.apply(engine, units.matrix());
    std::vector<float> result;
    for (int i = 0; i < size; ++i)
        result.push_back(answers.matrix().row(i)[static_cast<std::size_t>(row)]);
    return result;
}

} // namespace attn
