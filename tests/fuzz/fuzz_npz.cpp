// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/npz.h"

ATTN_FUZZ_TARGET(npz)
{
    return attn::fuzz::answer([&] {
        const attn::NpzReader reader(attn::fuzz::bytes(data, size), "input");
        for (const std::string& name : reader.names())
            attn::fuzz::answer([&] { (void)reader.find(name); });
    });
}
