// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/stage_report.h"
#include "base/index.h"
#include "edits/attention_edits.h"
#include "nn/engine.h"
#include "nn/matmul.h"
#include "tensor/number_view.h"
#include "trace/capture.h"
#include "trace/map_source.h"
#include "trace/site.h"
#include "trace/trace_sink.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace attn {

enum class Mask : std::uint8_t {
    None,
    Causal, // a query sees the keys up to its own position
    Earlier, // a query sees the keys before its own position
};

// Sets the scores of keys that a query may not see to -inf. Row r is the query at position firstRow + r, column c
// the key at position c. A window of W (Beltagy et al. 2020) leaves of a causal row the query's own position and the
// W - 1 before it, of a row without a mask W positions to each side of the query's own; 0: no window.
void applyMask(Mask mask, MutableView scores, int firstRow, int window = 0);

// Meaning of the rows of a call: successive positions of one hypothesis, or the same position of successive hypotheses.
enum class AttentionRows : std::uint8_t { Positions, Hypotheses };

// Soft attention averages the values; hard attention takes the one with the largest weight (the first of equals), or
// draws one by the weights, and gives it weight 1.
enum class AttentionMode : std::uint8_t { Soft, Hard };

// Local attention (Luong et al. 2015, section 3.2): keys within `window` of a row's centre, the others get weight 0.
struct LocalScope
{
    std::vector<float> centers; // p, one for each row
    int window = 0;
    bool gaussian = false; // weights are multiplied by exp(-(j - p)^2 / (2 (window/2)^2)), not renormalised
};

// Sets the scores of keys outside the window of each row to -inf.
void hideOutside(const LocalScope& local, MutableView scores);

struct AttentionCall
{
    Site site;
    AttentionRows meaning = AttentionRows::Positions;
    int hypothesis = 0; // of the first row
    int firstRow = 0; // position of the first row
    int rows = 0;
    Mask mask = Mask::None;
    AttentionMode mode = AttentionMode::Soft;
    int window = 0; // as of applyMask
    std::span<const float> sinks = {}; // one more score for each head, whose weight goes nowhere; empty: none
    const LocalScope* local = nullptr; // null: global
    std::mt19937_64* generator = nullptr; // of hard attention that draws; null: the largest weight
    std::span<const Index> pruned = {}; // heads whose weights are zeros
    AttentionAxis rowAxis = AttentionAxis::Tokens; // of the encoder's stage
    AttentionAxis columnAxis = AttentionAxis::Tokens;
};

// State of a run that an attention module needs.
struct AttentionRun
{
    Engine& engine;
    TraceSink& sink;
    const Capture& capture;
    bool positions = true; // false: rotary and relative positions are left out
    const AttentionEdits* edits = nullptr; // null: none
    MapForm maps = MapForm::Numbers; // that are reported

    // Edits of the call's rows.
    RowEdits editsOf(const AttentionCall& call) const;
    // Report of the row that the capture asks for, when the call computes it.
    StageReport stages(const AttentionCall& call, int heads) const;
};

// Writes the scores of all queries and keys: [heads, rows, keys], of the heads from `first` on, scaled, unmasked, and
// reports how it came to them. The ways to score differ in nothing else.
using ScoreFunction = std::function<void(MutableView scores, Index first, const StageReport& stages)>;

// Makes what the maps of a call's heads can be computed from when its scores have been written.
using MapSourceMaker = std::function<std::shared_ptr<const MapSource>()>;

// Number of heads that go from scores to sums together, of so many in all: all where their maps, of mapSize numbers
// each, are small, else as many as the caches of the threads hold meanwhile. A multiple of those that share keys and
// values.
Index headsAtOnce(int threads, std::ptrdiff_t mapSize, Index heads, Index sharing);

// The attention function of every model: scores, mask, softmax, edits, weighted sum of the values. Scores and weights
// are reported to the sink as the capture asks, one block for each hypothesis: as the sum used them, or what `maps`
// makes where the weights are nothing but the softmax of the masked scores. values: [key and value heads, keys, width];
// context: [heads, rows, width].
void attend(const AttentionRun& run, const AttentionCall& call, const ScoreFunction& score, NumberView values,
            MutableView context, const MapSourceMaker& maps = {});

} // namespace attn
