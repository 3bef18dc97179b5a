// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

// How many tokens a run reads and writes, as far as that is known before it begins.
struct RunLength
{
    std::uint64_t source = 0;
    std::uint64_t given = 0; // to the decoder at once: of a decoder-only model prompt and prefix, else output or prefix
    std::uint64_t steps = 0; // that decoding is expected to add, one by one
    std::uint64_t hypotheses = 1; // each of which adds them
    std::uint64_t sentences = 1; // of the source, for a model that reads it sentence by sentence
    bool remembers = false; // RunContext::remember

    // Inputs of the decoder, over all hypotheses.
    std::uint64_t inputs() const { return given + steps * hypotheses; }
};

} // namespace attn
