// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/stage_report.h"
#include "nn/engine.h"
#include "tensor/number_view.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace attn {

struct QueryKeyScores; // attention/query_key_scores.h

// Change of the frequencies of rotary positions for texts longer than the model was first trained on, as
// config.json's rope_scaling names it.
enum class RotaryScaling : std::uint8_t {
    None,
    Linear, // positions divided by the factor (Chen et al. 2023)
    Dynamic, // a larger base once the text is longer than maximumPositions ("NTK-aware")
    Llama3, // slow frequencies divided, fast ones kept, a ramp between
    Yarn, // the same by rotations in the original context, with a temperature (Peng et al. 2023)
    LongRope, // every frequency divided by its own factor, others beyond the original context (Ding et al. 2024)
};

// Features of a head that turn together: i and i + width / 2, or 2i and 2i + 1.
enum class RotaryPairs : std::uint8_t { Halves, Neighbours };

struct RotarySettings
{
    int width = 0; // features of a head that are rotated, even
    int first = 0; // of these features
    RotaryPairs pairs = RotaryPairs::Halves;
    double base = 10000;
    RotaryScaling scaling = RotaryScaling::None;
    double factor = 1;
    int maximumPositions = 2048; // Dynamic
    int originalPositions = 2048; // Llama3, Yarn and LongRope: the context before the scaling
    double lowFrequencyFactor = 1; // Llama3
    double highFrequencyFactor = 4; // Llama3
    double fastRotations = 32; // Yarn, beta_fast
    double slowRotations = 1; // Yarn, beta_slow
    bool wholeRotations = true; // Yarn: the ramp begins and ends at whole dimensions
    double magnitude = 1; // attention factor of Yarn and LongRope: what cosine and sine are multiplied by
    std::vector<double> factors = {}; // LongRope: what each frequency is divided by, [width / 2]
    std::vector<double> longFactors = {}; // likewise beyond originalPositions; empty: the same
    double queryGrowth = 0; // queries are multiplied by 1 + queryGrowth ln(1 + floor(position / originalPositions))
};

// Rotary positions (Su et al. 2021).
class RotaryPositions
{
public:
    explicit RotaryPositions(const RotarySettings& settings);

    const RotarySettings& settings() const { return m_settings; }
    // The frequencies depend on the length of the text, so keys are rotated when they are used.
    bool followsLength() const;
    // Texts up to this length share one set of frequencies; for followsLength().
    int border() const;
    // Whether the frequencies of a text of `length` tokens are not those of its first `before`.
    bool changes(int before, int length) const;

    // Radians per position of each pair of features, [width / 2], for a text of `length` tokens.
    std::vector<double> frequencies(int length) const;

    // rows: [heads, rows, features]; row r stands at position first + r * step.
    void rotate(MutableView rows, int first, int step, int length) const;
    // Rotated queries grown by queryGrowth.
    void scaleQueries(MutableView queries, int first, int step) const;
    // Factor of the query at a position, beside cosines and sines of that magnitude: 1 without queryGrowth.
    double queryFactor(int position) const;
    // Reports how the row's query, of `features` features, is turned at this position of a text of `length` tokens.
    void report(const StageReport& stages, int position, int features, int length) const;

private:
    std::vector<double> llama3Frequencies() const;
    std::vector<double> yarnFrequencies() const;

    RotarySettings m_settings;
    std::vector<double> m_frequencies; // of texts that do not change them
};

// Addition of positions to the scores, besides rotating queries and keys.
class PositionScores
{
public:
    virtual ~PositionScores() = default;

    // Adds it to the scaled products of the heads from `firstHead` on, [some heads, rows, keys].
    virtual void add(Engine& engine, const QueryKeyScores& of, Index firstHead, MutableView scores) const = 0;
    // Adds to the gradients of queries and keys what follows from that of all heads' scores, [heads, rows, keys].
    virtual void addGradient(const QueryKeyScores& of, NumberView gradient, MutableView queries,
                             MutableView keys) const = 0;
    // Reports the stages of the row, of unscaled parts where it has several.
    virtual void report(const StageReport& stages, const QueryKeyScores& of) const = 0;
    // Addition for a query and a key at these positions; none where it depends on what stands there.
    virtual std::optional<float> bias(int query, int key, int head) const = 0;
};

// One number for each query, key and head, whatever they hold.
class PositionBias : public PositionScores
{
public:
    void addGradient(const QueryKeyScores& /*of*/, NumberView /*gradient*/, MutableView /*queries*/,
                     MutableView /*keys*/) const override
    {
    }
    void report(const StageReport& stages, const QueryKeyScores& of) const override;
};

// Attention with linear biases (Press et al. 2022): slope times the position of the key. For the softmax that is the
// same as slope times the distance.
class AlibiPositions final : public PositionBias
{
public:
    // scale: of the biases. rounded: slopes and biases are rounded to bfloat16 before they are scaled, as in Falcon.
    AlibiPositions(int heads, float scale, bool rounded);

    void add(Engine& engine, const QueryKeyScores& of, Index firstHead, MutableView scores) const override;
    std::optional<float> bias(int query, int key, int head) const override;

private:
    std::vector<float> m_slopes;
    float m_scale;
    bool m_rounded;
};

// T5's relative positions (Raffel et al. 2020, section 2.1): a learned number for each head and bucket of distances is
// added to the scores. Near distances have a bucket each, farther ones share logarithmically wider buckets.
class RelativePositions final : public PositionBias
{
public:
    // table: [buckets, heads]. bidirectional: keys after the query have buckets of their own (encoder).
    RelativePositions(Tensor table, bool bidirectional, int maximumDistance);

    // The bucket of a key `distance` = key position - query position away.
    int bucket(int distance) const;
    float bias(int distance, int head) const;

    // The scores are of the heads from `firstHead` on; row r is the query at position firstRow + r, column c the key at
    // position c.
    void add(MutableView scores, Index firstHead, int firstRow) const;
    void add(Engine& engine, const QueryKeyScores& of, Index firstHead, MutableView scores) const override;
    std::optional<float> bias(int query, int key, int head) const override { return bias(key - query, head); }

private:
    Tensor m_table;
    bool m_bidirectional;
    int m_maximumDistance;
};

} // namespace attn
