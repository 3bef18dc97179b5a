// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fuzz_input.h"
#include "readings/head_reading.h"
#include "trace/archive.h"

#include <string>

namespace attn::fuzz {

// All that a trace is asked for, and that it can be written and read again.
inline void readAll(const Trace& trace)
{
    for (const Site& site : trace.sites()) {
        for (int head = 0; head < trace.heads(site); ++head) {
            const Numbers map = trace.matrix(site, head);
            require(map.values.size() == static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns));
        }
        (void)readWeights(trace, {site, meanOfHeads});
        (void)readWeights(trace, {site, maximumOfHeads});
        (void)trace.rowTokens(site);
        (void)trace.columnTokens(site);
    }
    (void)trace.target();
    (void)trace.hiddenStates(Stage::Encoder);
    (void)trace.hiddenStates(Stage::Decoder);
    const auto bytes = archiveBytes(trace, {.scores = true, .hidden = true, .logits = true});
    const Trace again = readArchive(bytes, "written");
    require(again.sites() == trace.sites() && again.source().ids == trace.source().ids);
}

} // namespace attn::fuzz
