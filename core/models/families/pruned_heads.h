// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"

#include <memory>
#include <vector>

namespace attn {

struct LayerPlan; // models/families/layer_reader.h

// Heads that a model does without (Michel et al. 2019), by layer; empty: none. {"0": [1], "2": [0, 3]} in pruned_heads
// of config.json. Throws Error{Format}.
std::vector<std::vector<Index>> readPrunedHeads(const JsonObject& config, int layers, int heads);

// A checkpoint whose matrices lack the features of pruned heads, as if it had them: they are zeros. Heads keep their
// numbers. The checkpoint itself where none are pruned.
std::shared_ptr<const Checkpoint> withAllHeads(std::shared_ptr<const Checkpoint> stored, const LayerPlan& plan);

} // namespace attn
