// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/position_schemes.h"
#include "experiments/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// PE(p + offset) = M PE(p), by the formula of sinusoids.
struct ExactOffset
{
    static constexpr int positions = 128; // that the error is of

    Tensor matrix; // [width, width]
    double error = 0; // largest difference over all positions
};

ExactOffset exactOffset(int offset, int width, SinusoidLayout layout);

// The matrix that comes closest to turning a model's positions by an offset, and how close others come.
class OffsetExperiment
{
public:
    static constexpr int mostPositions = 256;

    OffsetExperiment(std::string model, int offset);

    bool advance(const Workbench& bench); // the model, then an offset

    int offset() const { return m_offset; }
    const Tensor& table() const { return m_table; } // of the model's positions
    const OffsetMap& map() const { return m_map; } // for the offset
    // Largest difference of the formula's rotation, where that is what fits.
    const std::optional<double>& formulaError() const { return m_formula; }
    const std::vector<int>& offsets() const { return m_offsets; } // of the curve, in rising order
    const std::vector<OffsetMap>& curve() const { return m_curve; } // one per offset

private:
    std::string m_model;
    int m_offset;
    Tensor m_table;
    OffsetMap m_map;
    std::optional<double> m_formula;
    std::vector<int> m_offsets;
    std::vector<OffsetMap> m_curve;
};

// Where positions come from that are multiplied with each other.
enum class PositionSource : std::uint8_t { Interleaved, Halves, Rotary, Relative, Alibi, Model };

struct SchemeSettings
{
    PositionSource source = PositionSource::Interleaved;
    int positions = 64;
    int width = 128; // sinusoids, rotary; even
    double base = 10000; // rotary
    int buckets = 32; // relative
    int farthest = 128;
    int heads = 8; // ALiBi
    int head = 0;
    bool causal = true; // relative, ALiBi
    ProductKind product = ProductKind::Dot; // sinusoids
};

// Part of a score that two positions alone make, by the formula of a scheme, which is not Model: [positions,
// positions].
Numbers schemeMatrix(const SchemeSettings& settings);

// Likewise of a model: the table that is added to its embeddings or, where there is none, how positions enter the
// scores of a head.
class ModelPositionsExperiment
{
public:
    ModelPositionsExperiment(std::string model, Stage stage, int head, int positions);

    bool advance(const Workbench& bench);

    const Tensor& table() const { return m_table; } // [positions, width]; empty: nothing is added
    const Tensor& scores() const { return m_scores; } // [positions, positions]; empty: nothing enters the scores

private:
    std::string m_model;
    Stage m_stage;
    int m_head;
    int m_positions;
    Tensor m_table;
    Tensor m_scores;
};

} // namespace attn
