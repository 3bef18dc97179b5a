// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/attention_file.h"
#include "whole_trace.h"

// Files of other tools, whichever of them they look like.
ATTN_FUZZ_TARGET(dump)
{
    return attn::fuzz::answer([&] {
        const attn::AttentionFile file = attn::openAttentionFile(attn::fuzz::bytes(data, size), "input");
        attn::fuzz::readAll(file.trace(file.size - 1));
    });
}
