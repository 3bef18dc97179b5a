// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/attention_edits.h"
#include "models/model_info.h"
#include "trace/capture.h"
#include "trace/map_source.h"

#include <cstdint>

namespace attn {

// How many tokens a run reads and writes, as far as that is known before it begins.
struct RunLength
{
    std::uint64_t source = 0;
    std::uint64_t given = 0; // to the decoder at once: of a decoder-only model prompt and prefix, else output or prefix
    std::uint64_t steps = 0; // that decoding is expected to add, one by one
    std::uint64_t hypotheses = 1; // each of which adds them
};

// How a run keeps its maps, and the bytes that this takes.
struct MapPlan
{
    MapForm form = MapForm::Numbers;
    std::uint64_t kept = 0;
    std::uint64_t atOnce = 0; // beside them, while the largest of a site's maps are computed
};

// As numbers where these take at most `most` bytes. What cannot be computed again is always kept as numbers: where a
// site is edited, attention that is not a Transformer's, and the steps of decoding. threads: that compute.
MapPlan planMaps(const ModelInfo& info, const RunLength& length, const Capture& capture, const AttentionEdits& edits,
                 int threads, std::uint64_t most);

} // namespace attn
