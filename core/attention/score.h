// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/stage_report.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/tape.h"
#include "tensor/number_view.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

// The compatibility of a query with keys, for models with one head (Luong et al. 2015, section 3.1). What does not
// depend on the query is computed once.
class CompatibilityScore
{
public:
    virtual ~CompatibilityScore() = default;

    // annotations: [keys, key width]. Returns the keys as they are scored, [keys, width].
    virtual Tensor prepareKeys(Engine& engine, NumberView annotations) const = 0;
    // queries: [queries, query width]; keys: of prepareKeys. scores: [queries, keys].
    virtual void compute(Engine& engine, NumberView queries, NumberView keys, MutableView scores,
                         const StageReport& stages = {}) const = 0;
    // The same on a tape, where each query has keys of its own: those of annotations [keys * queries, key width], one
    // of each query after the other, and scores [queries, keys].
    virtual Variable recordKeys(Tape& tape, Variable annotations, int queries) const = 0;
    virtual Variable recordScores(Tape& tape, Variable queries, Variable keys) const = 0;
    // At most, of prepared keys and of what compute() makes of them; keyWidth: of the annotations.
    virtual std::uint64_t workBytes(std::uint64_t queries, std::uint64_t keys, std::uint64_t keyWidth) const = 0;
};

// score = v . tanh(W q + U h + b) (Bahdanau et al. 2015, section A.1.2); Luong's concat is the same formula.
class AdditiveScore final : public CompatibilityScore
{
public:
    // query: W, [size, query width]; key: U and b, [size, key width]; v: [1, size].
    AdditiveScore(Linear query, Linear key, Linear v);

    Tensor prepareKeys(Engine& engine, NumberView annotations) const override;
    void compute(Engine& engine, NumberView queries, NumberView keys, MutableView scores,
                 const StageReport& stages = {}) const override;
    Variable recordKeys(Tape& tape, Variable annotations, int queries) const override;
    Variable recordScores(Tape& tape, Variable queries, Variable keys) const override;
    std::uint64_t workBytes(std::uint64_t queries, std::uint64_t keys, std::uint64_t keyWidth) const override;

private:
    Linear m_query;
    Linear m_key;
    Linear m_v;
};

// score = scale (U q) . (W h): dot (neither), scaled dot (scale 1/sqrt(width)), general (W alone), low rank (both).
class ProductScore final : public CompatibilityScore
{
public:
    ProductScore(std::optional<Linear> query, std::optional<Linear> key, float scale = 1);

    Tensor prepareKeys(Engine& engine, NumberView annotations) const override;
    void compute(Engine& engine, NumberView queries, NumberView keys, MutableView scores,
                 const StageReport& stages = {}) const override;
    Variable recordKeys(Tape& tape, Variable annotations, int queries) const override;
    Variable recordScores(Tape& tape, Variable queries, Variable keys) const override;
    std::uint64_t workBytes(std::uint64_t queries, std::uint64_t keys, std::uint64_t keyWidth) const override;

private:
    std::optional<Linear> m_query;
    std::optional<Linear> m_key;
    float m_scale;
};

// The weights of one row of a layer, which it keeps for itself: its answers to the unit vectors.
std::vector<float> weightsOf(Engine& engine, const Linear& layer, int row);

// Scores of keys against queries that are weights of the model and the same for every text: v tanh(U h + b), one row of
// v for each query (Yang et al. 2016, equations 5 and 6; Lin et al. 2017, equation 5), or v h without the layer.
class LearnedQueryScore
{
public:
    // key: U and b, [size, key width], or none; v: [queries, size] or [queries, key width].
    LearnedQueryScore(std::optional<Linear> key, Linear v);

    int queries() const { return m_v.outputs(); }
    // The same as compute() on a tape.
    Variable record(Tape& tape, Variable keys) const;
    // keys: [keys, key width]. scores: [queries, keys].
    void compute(Engine& engine, NumberView keys, MutableView scores, const StageReport& stages = {}) const;
    std::uint64_t workBytes(std::uint64_t keys) const; // of compute(), at most

private:
    std::optional<Linear> m_key;
    Linear m_v;
};

class PositionScores; // attention/positions.h

// The scores of queries and keys: scaled dot products, what positions add, and a cap on the sum. The views outlive
// this.
struct QueryKeyScores
{
    NumberView queries; // [heads, rows, width], rotated where the model has rotary positions
    NumberView keys; // [key and value heads, keys, width], likewise
    float scale = 1;
    const PositionScores* positions = nullptr; // null: nothing is added
    int firstRow = 0; // position of the first query
    float cap = 0; // scores become cap tanh(score / cap) (Gemma 2); 0: they stay

    // Unmasked scores of the heads from `first` on, [some heads, rows, keys]: one head, or all that share keys.
    void compute(Engine& engine, Index first, MutableView scores) const;
};

// The numbers of a site's maps, and of the queries and keys that they are computed from.
struct QueryKeySizes
{
    std::uint64_t heads = 0; // of the queries
    std::uint64_t keyHeads = 0;
    std::uint64_t rows = 0;
    std::uint64_t keys = 0;
    std::uint64_t width = 0; // of one head

    static QueryKeySizes of(const QueryKeyScores& scores);

    std::uint64_t maps() const { return heads * rows * keys; }
    std::uint64_t queriesAndKeys() const { return (heads * rows + keyHeads * keys) * width; }
    // Whether a run that keeps maps as queries and keys does so with these: a single row, as each step of decoding
    // adds one, would bring all keys along.
    bool worthKeeping() const { return rows > 1 && queriesAndKeys() < maps(); }
};

} // namespace attn
