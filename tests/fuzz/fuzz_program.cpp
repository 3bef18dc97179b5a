// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"

// A program of libFuzzer: one target of those that are linked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto named =
        std::ranges::find(attn::fuzz::targets(), std::string_view(ATTN_FUZZED), &attn::fuzz::NamedTarget::name);
    return named->target(data, size);
}
