// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/learned_query_score.h"

#include "nn/activation.h"

#include <utility>

namespace attn {

namespace {

ProbedMatrix probedView(MatrixView matrix)
{
    return {matrix.rows, matrix.columns, {matrix.data, matrix.data + std::ptrdiff_t{matrix.rows} * matrix.columns}};
}

} // namespace

LearnedQueryScore::LearnedQueryScore(std::optional<Linear> key, Linear v)
    : m_key(std::move(key))
    , m_v(std::move(v))
{
}

Tensor LearnedQueryScore::tanhLayer(Engine& engine, MatrixView keys) const
{
    Tensor hidden = m_key->apply(engine, keys);
    activate(engine, Activation::Tanh, hidden.values());
    return hidden;
}

void LearnedQueryScore::compute(Engine& engine, MatrixView keys, float* scores) const
{
    const Tensor hidden = m_key ? tanhLayer(engine, keys) : Tensor();
    const Tensor byKey = m_v.apply(engine, m_key ? hidden.matrix() : keys); // [keys, queries]
    const MatrixView rows = byKey.matrix();
    for (int key = 0; key < rows.rows; ++key) {
        for (int query = 0; query < rows.columns; ++query)
            scores[std::ptrdiff_t{query} * rows.rows + key] = rows.row(key)[static_cast<std::size_t>(query)];
    }
}

// A row of v, as the layer keeps it for itself: its answer to the unit vectors.
std::vector<float> LearnedQueryScore::weightsOf(Engine& engine, int query) const
{
    const int size = m_v.inputs();
    Tensor units({size, size});
    for (int i = 0; i < size; ++i)
        units.data()[std::ptrdiff_t{i} * (size + 1)] = 1;
    const Tensor answers = m_v.apply(engine, units.matrix());
    std::vector<float> result;
    for (int i = 0; i < size; ++i)
        result.push_back(answers.matrix().row(i)[static_cast<std::size_t>(query)]);
    return result;
}

void LearnedQueryScore::probe(AttentionProbe& probe, Engine& engine, MatrixView keys, int query) const
{
    if (!m_key) {
        probe.score = "dot";
        probe.query = weightsOf(engine, query);
        probe.keys = probedView(keys);
        std::vector<float> scores(static_cast<std::size_t>(queries()) * static_cast<std::size_t>(keys.rows));
        compute(engine, keys, scores.data());
        const auto first = scores.begin() + std::ptrdiff_t{query} * keys.rows;
        probe.products.assign(first, first + keys.rows);
        return;
    }
    probe.score = "additive";
    probe.projectedKeys = probedView(m_key->apply(engine, keys).matrix());
    probe.tanhLayer = probedView(tanhLayer(engine, keys).matrix());
    probe.v = weightsOf(engine, query);
}

} // namespace attn
