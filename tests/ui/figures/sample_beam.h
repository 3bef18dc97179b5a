// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <optional>

namespace attn::test {

// A made-up beam search: of three continuations of every hypothesis the best ones are kept, and now and then one ends.
struct SampleBeam
{
    int width = 4;
    int steps = 10; // the length limit
    int done = -1; // so many rounds have been reported; -1: all, and the run has finished
    int given = 0; // tokens of a prefix
    unsigned seed = 1;
};

// With one head of cross attention; the same for any number of rounds that are done.
Trace sampleBeam(const SampleBeam& search);

} // namespace attn::test
