// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/learned_query_score.h"

#include "attention/score.h"
#include "nn/activation.h"

#include <algorithm>
#include <utility>

namespace attn {

LearnedQueryScore::LearnedQueryScore(std::optional<Linear> key, Linear v)
    : m_key(std::move(key))
    , m_v(std::move(v))
{
}

void LearnedQueryScore::compute(Engine& engine, NumberView keys, MutableView scores, const StageReport& stages) const
{
    Tensor hidden;
    if (m_key) {
        hidden = m_key->apply(engine, keys);
        stages.matrix(StageKind::ProjectedKeys, hidden.matrix());
        activate(engine, Activation::Tanh, hidden.values());
        stages.matrix(StageKind::TanhLayer, hidden.matrix());
    }
    const Tensor byKey = m_v.apply(engine, m_key ? hidden.matrix() : keys); // [keys, queries]
    const NumberView rows = byKey.matrix();
    for (int key = 0; key < rows.rows; ++key) {
        for (int query = 0; query < rows.columns; ++query)
            scores.at(query, key) = rows.at(key, query);
    }
    if (!stages)
        return;
    const int query = std::min(stages.row(), queries() - 1); // where one asks for all rows
    stages.vector(m_key ? StageKind::ScoreVector : StageKind::Query, weightsOf(engine, m_v, query));
    if (!m_key) {
        stages.matrix(StageKind::Keys, keys);
        stages.vector(StageKind::Products, scores.row(query));
    }
}

} // namespace attn
