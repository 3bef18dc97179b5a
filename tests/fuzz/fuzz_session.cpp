// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "session/session.h"
#include "whole_trace.h"

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
