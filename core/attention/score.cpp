// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score.h"

#include "nn/activation.h"
#include "nn/elementwise.h"

#include <numeric>
#include <utility>

namespace attn {

namespace {

std::vector<float> valuesOf(MatrixView matrix)
{
    return {matrix.data, matrix.data + std::ptrdiff_t{matrix.rows} * matrix.columns};
}

ProbedMatrix probed(MatrixView matrix)
{
    return {matrix.rows, matrix.columns, valuesOf(matrix)};
}

} // namespace

AdditiveScore::AdditiveScore(std::string name, Linear query, Linear key, Linear v)
    : m_name(std::move(name))
    , m_query(std::move(query))
    , m_key(std::move(key))
    , m_v(std::move(v))
{
}

Tensor AdditiveScore::prepareKeys(Engine& engine, MatrixView annotations) const
{
    return m_key.apply(engine, annotations);
}

Tensor AdditiveScore::tanhLayer(Engine& engine, const Tensor& projected, MatrixView keys) const
{
    Tensor hidden({projected.dim(0) * keys.rows, keys.columns});
    addToRows(engine, projected.matrix(), keys, hidden.data());
    activate(engine, Activation::Tanh, hidden.values());
    return hidden;
}

void AdditiveScore::compute(Engine& engine, MatrixView queries, MatrixView keys, float* scores) const
{
    const Tensor hidden = tanhLayer(engine, m_query.apply(engine, queries), keys);
    m_v.apply(engine, hidden.matrix(), scores);
}

void AdditiveScore::probe(AttentionProbe& probe, Engine& engine, MatrixView query, MatrixView keys) const
{
    const Tensor projected = m_query.apply(engine, query);
    const Tensor hidden = tanhLayer(engine, projected, keys);
    probe.score = m_name;
    probe.query = valuesOf(query);
    probe.projectedQuery = valuesOf(projected.matrix());
    probe.projectedKeys = probed(keys);
    probe.tanhLayer = probed(hidden.matrix());
    // v, as the layer keeps it for itself: its answer to the unit vectors.
    Tensor units({keys.columns, keys.columns});
    for (int i = 0; i < keys.columns; ++i)
        units.data()[std::ptrdiff_t{i} * (keys.columns + 1)] = 1;
    probe.v = valuesOf(m_v.apply(engine, units.matrix()).matrix());
}

ProductScore::ProductScore(std::string name, std::optional<Linear> query, std::optional<Linear> key, float scale)
    : m_name(std::move(name))
    , m_query(std::move(query))
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

void ProductScore::compute(Engine& engine, MatrixView queries, MatrixView keys, float* scores) const
{
    const Tensor projected = m_query ? m_query->apply(engine, queries) : Tensor();
    const MatrixView scored = m_query ? projected.matrix() : queries;
    queryKeyProduct(engine, {1, scored.columns}, {scored.data, scored.rows, scored.columns},
                    {keys.data, keys.rows, keys.columns}, m_scale, scores);
}

void ProductScore::probe(AttentionProbe& probe, Engine& engine, MatrixView query, MatrixView keys) const
{
    probe.score = m_name;
    probe.scale = m_scale;
    probe.query = valuesOf(query);
    if (m_query)
        probe.projectedQuery = valuesOf(m_query->apply(engine, query).matrix());
    const std::vector<float>& scored = m_query ? probe.projectedQuery : probe.query;
    probe.keys = probed(keys);
    probe.products.clear();
    for (int key = 0; key < keys.rows; ++key)
        probe.products.push_back(std::inner_product(scored.begin(), scored.end(), keys.row(key).begin(), 0.0F));
}

} // namespace attn
