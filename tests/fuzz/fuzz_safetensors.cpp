// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/stored_tensor.h"
#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return attn::fuzz::answer([&] {
        for (const auto& [name, tensor] : attn::readSafetensors(attn::fuzz::bytes(data, size), "input"))
            attn::toFloat32(tensor);
    });
}
