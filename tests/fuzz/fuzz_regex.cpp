// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "text/unicode/regex.h"

ATTN_FUZZ_TARGET(regex)
{
    const auto given = attn::fuzz::parts(attn::fuzz::text(data, size), 2);
    return attn::fuzz::answer([&] {
        std::size_t last = 0;
        for (const attn::ByteSpan& match : attn::Regex(given[0], "input").matches(given[1])) {
            attn::fuzz::require(last <= match.begin && match.begin <= match.end && match.end <= given[1].size());
            last = match.end;
        }
    });
}
