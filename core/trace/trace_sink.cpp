// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/trace_sink.h"

namespace attn {

namespace {

Numbers allHeads(const MapSource& maps, MapPart part)
{
    if (!maps.has(part))
        return {};
    Numbers all = Numbers::unset(maps.heads(), maps.rows(), maps.columns());
    for (Index head = 0; head < maps.heads(); ++head)
        maps.compute(part, head, 0, all.view().head(head));
    return all;
}

} // namespace

// Who keeps them moves them.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void TraceSink::computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps)
{
    finishedAttention(block, allHeads(*maps, MapPart::Weights), allHeads(*maps, MapPart::Scores));
}

} // namespace attn
