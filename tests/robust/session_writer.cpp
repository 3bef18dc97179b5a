// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// session_writer RUN SESSION: writes a session with an archive's run twice, as the window does, and fails as
// the program does. The program itself writes sessions only while somebody looks at its window.
#include "base/error.h"
#include "session/session.h"
#include "trace/archive.h"

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    try {
        attn::Session session;
        session.model.name = "recurrent";
        for (const int id : {1, 2}) {
            attn::SessionRun& run = session.runs.emplace_back();
            run.id = id;
            run.trace = attn::readArchive(argv[1]);
        }
        session.shown.run = 2;
        attn::writeSession(argv[2], session);
    } catch (const attn::Error& error) {
        std::fprintf(stderr, "attnscope: %s\n", error.what());
        return 1;
    }
    return 0;
}
