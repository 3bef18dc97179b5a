// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/stored_tensor.h"
#include "fuzz_input.h"

ATTN_FUZZ_TARGET(torch)
{
    return attn::fuzz::answer([&] {
        for (const auto& entry : attn::readTorchFile(attn::fuzz::bytes(data, size), "input"))
            attn::fuzz::answer([&] { attn::toFloat32(entry.second); });
    });
}
