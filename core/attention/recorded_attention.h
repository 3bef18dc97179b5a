// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "nn/tape.h"

#include <functional>
#include <vector>

namespace attn {

// Settings of attention that is recorded, all rows of a run at once.
struct RecordingRun
{
    bool positions = true; // false: rotary and relative positions are left out
    const AttentionEdits* edits = nullptr; // null: none
};

// Attention on a tape. Rows of several heads lie one head below the other.
struct RecordedAttention
{
    Site site;
    HeadShape shape;
    Variable weights; // [heads * rows, keys], as the sums used them
    std::vector<bool> masked; // of the weights: cells that cannot have any
    Variable values; // [keys, key and value heads' width]
    Variable sums; // [rows, heads' width]
    Variable output; // [rows, width]
    const Linear* projection = nullptr; // from the sums to the output; null: they are the output
    float share = 1; // of the output that is read, where a gate says so
};

// Weights from scores, [heads * rows, keys], as attend() makes them: masks, the softmax, what `narrow` makes of it,
// and edits. call.mode is soft.
struct RecordedWeights
{
    Variable weights;
    std::vector<bool> masked;
};
RecordedWeights recordWeights(Tape& tape, const AttentionCall& call, int heads, const AttentionEdits* edits,
                              Variable scores, const std::function<Variable(Variable)>& narrow = {});

} // namespace attn
