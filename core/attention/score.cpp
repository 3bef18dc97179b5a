// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score.h"

#include "attention/positions.h"
#include "nn/elementwise.h"
#include "nn/matmul.h"

#include <algorithm>
#include <utility>

namespace attn {

void QueryKeyScores::compute(Engine& engine, Index first, MutableView scores) const
{
    const Index sharing = queries.heads / keys.heads;
    const Index keyHeads = std::max<Index>(1, scores.heads / sharing);
    queryKeyProduct(engine, queries.headRange(first, scores.heads), keys.headRange(first / sharing, keyHeads), scale,
                    scores);
    if (positions != nullptr)
        positions->add(engine, *this, first, scores);
    if (cap > 0)
        capped(engine, scores.values(), cap);
}

QueryKeySizes QueryKeySizes::of(const QueryKeyScores& scores)
{
    const auto size = [](Index count) { return static_cast<std::uint64_t>(count); };
    const NumberView& queries = scores.queries;
    return {size(queries.heads), size(scores.keys.heads), size(queries.rows), size(scores.keys.rows),
            size(queries.columns)};
}

namespace {

std::uint64_t numberBytes(std::uint64_t rows, int columns)
{
    return rows * static_cast<std::uint64_t>(columns) * sizeof(float);
}

// [keys, queries] as [queries, keys].
Variable turned(Tape& tape, Variable scores)
{
    const Index keys = tape.matrix(scores).rows;
    const Index queries = tape.matrix(scores).columns;
    if (queries == 1)
        return tape.reshaped(1, keys, scores);
    std::vector<int> order;
    for (Index query = 0; query < queries; ++query) {
        for (Index key = 0; key < keys; ++key)
            order.push_back(key * queries + query);
    }
    return tape.reshaped(queries, keys, tape.rows(std::move(order), tape.reshaped(keys * queries, 1, scores)));
}

} // namespace

AdditiveScore::AdditiveScore(Linear query, Linear key, Linear v)
    : m_query(std::move(query))
    , m_key(std::move(key))
    , m_v(std::move(v))
{
}

Tensor AdditiveScore::prepareKeys(Engine& engine, NumberView annotations) const
{
    return m_key.apply(engine, annotations);
}

void AdditiveScore::compute(Engine& engine, NumberView queries, NumberView keys, MutableView scores,
                            const StageReport& stages) const
{
    const Tensor projected = m_query.apply(engine, queries);
    Numbers hidden = Numbers::zeros(queries.rows, keys.rows, keys.columns);
    addToRows(engine, projected.matrix(), keys, hidden.view());
    activate(engine, Activation::Tanh, hidden.values);
    const NumberView rows(hidden.values.data(), queries.rows * keys.rows, keys.columns);
    m_v.apply(engine, rows, {scores.data, rows.rows, 1});
    if (!stages)
        return;
    stages.vector(StageKind::Query, queries.row(stages.row()));
    stages.vector(StageKind::ProjectedQuery, projected.matrix().row(stages.row()));
    stages.matrix(StageKind::ProjectedKeys, keys);
    stages.matrix(StageKind::TanhLayer, hidden.view().head(stages.row()));
    stages.vector(StageKind::ScoreVector, weightsOf(engine, m_v, 0));
}

Variable AdditiveScore::recordKeys(Tape& tape, Variable annotations, int /*queries*/) const
{
    return tape.linear(m_key, annotations);
}

Variable AdditiveScore::recordScores(Tape& tape, Variable queries, Variable keys) const
{
    const Index count = tape.matrix(queries).rows;
    const Index rows = tape.matrix(keys).rows;
    std::vector<int> queryOfKey;
    for (int row = 0; row < rows; ++row)
        queryOfKey.push_back(row % count);
    const Variable projected = tape.rows(std::move(queryOfKey), tape.linear(m_query, queries));
    const Variable scores = tape.linear(m_v, tape.activated(Activation::Tanh, tape.sum(projected, keys)));
    return turned(tape, count == 1 ? scores : tape.reshaped(rows / count, count, scores));
}

std::uint64_t AdditiveScore::workBytes(std::uint64_t queries, std::uint64_t keys, std::uint64_t /*keyWidth*/) const
{
    return numberBytes(keys + queries + queries * keys, m_key.outputs());
}

ProductScore::ProductScore(std::optional<Linear> query, std::optional<Linear> key, float scale)
    : m_query(std::move(query))
    , m_key(std::move(key))
    , m_scale(scale)
{
}

Tensor ProductScore::prepareKeys(Engine& engine, NumberView annotations) const
{
    if (m_key)
        return m_key->apply(engine, annotations);
    return {{annotations.rows, annotations.columns}, copyOf(annotations)};
}

void ProductScore::compute(Engine& engine, NumberView queries, NumberView keys, MutableView scores,
                           const StageReport& stages) const
{
    const Tensor projected = m_query ? m_query->apply(engine, queries) : Tensor();
    const NumberView scored = m_query ? projected.matrix() : queries;
    queryKeyProduct(engine, scored, keys, m_scale, scores);
    if (!stages)
        return;
    stages.vector(StageKind::Query, queries.row(stages.row()));
    if (m_query)
        stages.vector(StageKind::ProjectedQuery, scored.row(stages.row()));
    stages.matrix(m_key ? StageKind::ProjectedKeys : StageKind::Keys, keys);
    stages.products(scored, keys, m_scale);
}

Variable ProductScore::recordKeys(Tape& tape, Variable annotations, int queries) const
{
    const Variable keys = m_key ? tape.linear(*m_key, annotations) : annotations;
    const NumberView rows = tape.matrix(keys);
    return queries == 1 ? keys : tape.reshaped(rows.rows / queries, rows.columns * queries, keys);
}

Variable ProductScore::recordScores(Tape& tape, Variable queries, Variable keys) const
{
    const Index count = tape.matrix(queries).rows;
    const Index width = tape.matrix(keys).columns;
    const Variable scored = m_query ? tape.linear(*m_query, queries) : queries;
    return tape.queryKeyScores({count, width / count}, m_scale, count == 1 ? scored : tape.reshaped(1, width, scored),
                               keys);
}

std::uint64_t ProductScore::workBytes(std::uint64_t queries, std::uint64_t keys, std::uint64_t keyWidth) const
{
    const std::uint64_t prepared = m_key ? numberBytes(keys, m_key->outputs()) : keys * keyWidth * sizeof(float);
    return prepared + (m_query ? numberBytes(queries, m_query->outputs()) : 0);
}

std::vector<float> weightsOf(Engine& engine, const Linear& layer, int row)
{
    const int size = layer.inputs();
    Tensor units({size, size});
    for (int i = 0; i < size; ++i)
        units.matrix().at(i, i) = 1;
    const Tensor answers = layer.apply(engine, units.matrix());
    std::vector<float> result;
    for (int i = 0; i < size; ++i)
        result.push_back(answers.matrix().at(i, row));
    return result;
}

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

Variable LearnedQueryScore::record(Tape& tape, Variable keys) const
{
    return turned(tape, tape.linear(m_v, m_key ? tape.activated(Activation::Tanh, tape.linear(*m_key, keys)) : keys));
}

std::uint64_t LearnedQueryScore::workBytes(std::uint64_t keys) const
{
    return numberBytes(keys, m_v.outputs() + (m_key ? m_key->outputs() : 0));
}

} // namespace attn
