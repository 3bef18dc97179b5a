// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score.h"

#include "nn/activation.h"
#include "nn/elementwise.h"

#include <cmath>
#include <utility>

namespace attn {

void scaledDotScores(Engine& engine, HeadShape shape, HeadRows queries, HeadRows keys, float* scores)
{
    queryKeyProduct(engine, shape, queries, keys, 1.0F / std::sqrt(static_cast<float>(shape.width)), scores);
}

AdditiveScore::AdditiveScore(Linear query, Linear key, Linear v)
    : m_query(std::move(query))
    , m_key(std::move(key))
    , m_v(std::move(v))
{
}

Tensor AdditiveScore::projectKeys(Engine& engine, MatrixView annotations) const
{
    return m_key.apply(engine, annotations);
}

void AdditiveScore::compute(Engine& engine, MatrixView queries, MatrixView projectedKeys, float* scores) const
{
    const Tensor projected = m_query.apply(engine, queries);
    const int pairs = queries.rows * projectedKeys.rows;
    Tensor hidden({pairs, projectedKeys.columns});
    addToRows(engine, projected.matrix(), projectedKeys, hidden.data());
    activate(engine, Activation::Tanh, hidden.values());
    m_v.apply(engine, hidden.matrix(), scores);
}

} // namespace attn
