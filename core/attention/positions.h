// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attn {

// How the frequencies of rotary positions are changed for texts longer than the model was first trained on, as
// config.json's rope_scaling names it.
enum class RotaryScaling : std::uint8_t {
    None,
    Linear, // positions divided by the factor (Chen et al. 2023)
    Dynamic, // a larger base once the text is longer than maximumPositions ("NTK-aware")
    Llama3, // slow frequencies divided, fast ones kept, a ramp between
    Yarn, // the same by rotations in the original context, with a temperature (Peng et al. 2023)
};

struct RotarySettings
{
    int width = 0; // features of a head that are rotated, even
    double base = 10000;
    RotaryScaling scaling = RotaryScaling::None;
    double factor = 1;
    int maximumPositions = 2048; // Dynamic
    int originalPositions = 2048; // Llama3 and Yarn: the context before the scaling
    double lowFrequencyFactor = 1; // Llama3
    double highFrequencyFactor = 4; // Llama3
    double fastRotations = 32; // Yarn, beta_fast
    double slowRotations = 1; // Yarn, beta_slow
    bool wholeRotations = true; // Yarn: the ramp begins and ends at whole dimensions
    double magnitude = 1; // Yarn's attention factor: what cosine and sine are multiplied by
};

// Rotary positions (Su et al. 2021) in Hugging Face's order: features i and i + width / 2 of a head turn together.
class RotaryPositions
{
public:
    explicit RotaryPositions(const RotarySettings& settings);

    const RotarySettings& settings() const { return m_settings; }
    // The frequencies depend on the length of the text, so keys are rotated when they are used.
    bool followsLength() const { return m_settings.scaling == RotaryScaling::Dynamic; }

    // Radians per position of each pair of features, [width / 2], for a text of `length` tokens.
    std::vector<double> frequencies(int length) const;

    // rows: [heads, rows, features]; row r stands at position first + r * step.
    void rotate(MutableView rows, int first, int step, int length) const;

private:
    std::vector<double> llama3Frequencies() const;
    std::vector<double> yarnFrequencies() const;

    RotarySettings m_settings;
    std::vector<double> m_frequencies; // of texts that do not change them
};

// T5's relative positions (Raffel et al. 2020, section 2.1): a learned number for each head and bucket of distances is
// added to the scores. Near distances have a bucket each, farther ones share logarithmically wider buckets.
class RelativePositions
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

private:
    Tensor m_table;
    bool m_bidirectional;
    int m_maximumDistance;
};

} // namespace attn
