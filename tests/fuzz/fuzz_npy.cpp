// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return attn::fuzz::answer([&] {
        const attn::NpyArray array = attn::readNpy(attn::fuzz::bytes(data, size), "input");
        if (!array.isNumber())
            (void)array.texts();
        else if (array.kind() == attn::NpyKind::Float)
            (void)array.floats();
        else
            (void)array.integers();
    });
}
