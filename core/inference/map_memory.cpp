// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/map_memory.h"

#include "attention/attention.h"
#include "attention/score.h"

#include <algorithm>
#include <cstddef>

namespace attn {

namespace {

bool isPooled(const ModelInfo& info)
{
    using Form = Architecture::Form;
    const Form form = info.architecture.form;
    return form == Form::AttentionPooling || form == Form::StructuredSelfAttention || form == Form::Hierarchical;
}

// Learned queries: of the whole text, or of each sentence and then of all of them.
QueryKeySizes pooledSizes(const ModelInfo& info, Site site, const RunLength& length)
{
    QueryKeySizes sizes;
    sizes.heads = sizes.keyHeads = 1;
    sizes.rows = static_cast<std::uint64_t>(info.architecture.hops);
    sizes.keys = length.source;
    if (info.architecture.form == Architecture::Form::Hierarchical) {
        sizes.rows = site.layer == 0 ? length.sentences : 1;
        sizes.keys = site.layer == 0 ? length.source : length.sentences;
    }
    return sizes;
}

// Bytes of the rows that a site computes together.
QueryKeySizes sizesOf(const ModelInfo& info, Site site, const RunLength& length)
{
    if (isPooled(info))
        return pooledSizes(info, site, length);
    QueryKeySizes sizes;
    sizes.heads = static_cast<std::uint64_t>(info.heads(site));
    const bool shares = site.stage != Stage::Cross && info.keyValueHeads > 0;
    sizes.keyHeads = shares ? static_cast<std::uint64_t>(info.keyValueHeads) : sizes.heads;
    sizes.rows = site.stage == Stage::Encoder ? length.source : site.stage == Stage::Pooling ? 1 : length.given;
    sizes.keys = site.stage == Stage::Decoder ? length.given : length.source;
    sizes.width = static_cast<std::uint64_t>(info.headWidth);
    return sizes;
}

// Bytes of the rows that decoding adds one by one; those over the output are each longer than the one before by a key.
std::uint64_t stepNumbers(const QueryKeySizes& sizes, Site site, const RunLength& length)
{
    const std::uint64_t rows = sizes.heads * length.steps * length.hypotheses;
    switch (site.stage) {
    case Stage::Encoder:
    case Stage::Pooling:
        break;
    case Stage::Decoder:
        return rows * (length.given + (length.steps + 1) / 2);
    case Stage::Cross:
        return rows * length.source;
    }
    return 0;
}

std::uint64_t numbersAtOnce(const QueryKeySizes& sizes, bool all, int threads)
{
    const auto heads = static_cast<Index>(sizes.heads);
    const auto sharing = static_cast<Index>(sizes.heads / std::max<std::uint64_t>(1, sizes.keyHeads));
    const auto map = static_cast<std::ptrdiff_t>(sizes.rows * sizes.keys);
    const Index together = all ? heads : std::min(heads, headsAtOnce(threads, map, heads, sharing) + sharing);
    return static_cast<std::uint64_t>(together) * sizes.rows * sizes.keys;
}

} // namespace

MapPlan planMaps(const ModelInfo& info, const RunLength& length, const Capture& capture, const AttentionEdits& edits,
                 int threads, std::uint64_t most)
{
    const std::uint64_t parts = !capture.attention ? 0 : capture.scores ? 2 : 1;
    const bool computable = info.architecture.form == Architecture::Form::Transformer && !info.hardAttention;
    const bool wholeMaps = computable || isPooled(info); // others compute theirs row by row
    std::uint64_t numbers = 0; // of maps that are all kept as numbers
    std::uint64_t least = 0; // of what is kept otherwise
    std::uint64_t atOnce = 0;
    for (const Site& site : info.sites()) {
        const QueryKeySizes sizes = sizesOf(info, site, length);
        const std::uint64_t steps = stepNumbers(sizes, site, length) * parts;
        const bool edited = !edits.rows(site, 0, false).empty();
        const bool keeps = computable && !edited && sizes.worthKeeping();
        numbers += sizes.maps() * parts + steps;
        least += (keeps && capture.attention ? sizes.queriesAndKeys() : sizes.maps() * parts) + steps;
        const bool together = edited || (capture.inside && capture.inside->site == site);
        // Elsewhere what is computed at once is what is kept.
        if (wholeMaps && (keeps || !capture.attention) && sizes.rows > 0 && sizes.keys > 0)
            atOnce = std::max(atOnce, numbersAtOnce(sizes, together, threads));
    }
    MapPlan plan;
    if (numbers * sizeof(float) <= most) {
        plan.kept = numbers * sizeof(float);
        plan.atOnce = capture.attention ? 0 : atOnce * sizeof(float);
        return plan;
    }
    plan.form = MapForm::QueriesAndKeys;
    plan.kept = least * sizeof(float);
    plan.atOnce = atOnce * sizeof(float);
    return plan;
}

std::uint64_t workBytes(const SequenceModel& model, const RunLength& length, const Capture& capture,
                        const Engine& engine)
{
    const std::uint64_t bytes = model.workBytes(length, capture, engine);
    switch (engine.precision()) { // what a layer reads is rounded beside it
    case Precision::BF16:
        return bytes + bytes / 2;
    case Precision::Q8:
        return 2 * bytes;
    case Precision::F32:
        break;
    }
    return bytes;
}

} // namespace attn
