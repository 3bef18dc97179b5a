// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/attention_edits.h"
#include "models/model_info.h"
#include "models/sequence_model.h"
#include "nn/engine.h"
#include "trace/capture.h"
#include "trace/map_source.h"

#include <cstdint>

namespace attn {

// Form in which a run keeps its maps, and the bytes that this takes.
struct MapPlan
{
    MapForm form = MapForm::Numbers;
    std::uint64_t kept = 0;
    std::uint64_t atOnce = 0; // beside them, while the largest of a site's maps are computed
};

// Plan that keeps maps as numbers where these take at most `most` bytes. Maps that cannot be computed again are always
// kept so: those of edited sites, of attention that is not a Transformer's, and of the steps of decoding. threads: that
// compute.
MapPlan planMaps(const ModelInfo& info, const RunLength& length, const Capture& capture, const AttentionEdits& edits,
                 int threads, std::uint64_t most);

// Most that the run takes beside them: SequenceModel::workBytes, and what the engine's precision adds.
std::uint64_t workBytes(const SequenceModel& model, const RunLength& length, const Capture& capture,
                        const Engine& engine);

} // namespace attn
