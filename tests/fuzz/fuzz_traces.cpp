// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/attention_file.h"
#include "fuzz_input.h"
#include "readings/head_reading.h"
#include "session/session.h"
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

ATTN_FUZZ_TARGET(archive)
{
    return attn::fuzz::answer([&] { attn::fuzz::readAll(attn::readArchive(attn::fuzz::bytes(data, size), "input")); });
}

ATTN_FUZZ_TARGET(archive_json)
{
    static const attn::fuzz::Folder folder("archive");
    const auto path = folder.put("run.json", attn::fuzz::text(data, size));
    return attn::fuzz::answer([&] { attn::fuzz::readAll(attn::readArchive(path)); });
}

// Files of other tools, whichever of them they look like.
ATTN_FUZZ_TARGET(dump)
{
    return attn::fuzz::answer([&] {
        const attn::AttentionFile file = attn::openAttentionFile(attn::fuzz::bytes(data, size), "input");
        attn::fuzz::readAll(file.trace(file.size - 1));
    });
}

ATTN_FUZZ_TARGET(session)
{
    static const attn::fuzz::Folder folder("session");
    const auto path = folder.put("input.attnscope", attn::fuzz::text(data, size));
    return attn::fuzz::answer([&] {
        const attn::Session session = attn::readSession(path);
        for (const attn::SessionRun& run : session.runs)
            attn::fuzz::readAll(run.trace);
        const auto written = folder.path() / "written.attnscope";
        attn::writeSession(written, session);
        attn::fuzz::require(attn::readSession(written).runs.size() == session.runs.size());
    });
}
