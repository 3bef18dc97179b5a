// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf_model.h"
#include "fuzz_input.h"
#include "io/gguf.h"
#include "models/families/family.h"

ATTN_FUZZ_TARGET(gguf)
{
    return attn::fuzz::answer([&] {
        static const auto layouts = attn::ggufLayouts();
        const auto bytes = attn::fuzz::bytes(data, size);
        const attn::GgufFile file(bytes, "input");
        for (const std::string& key : file.keys()) {
            attn::fuzz::answer([&] { (void)file.texts(key); });
            attn::fuzz::answer([&] { (void)file.numbers(key); });
        }
        const attn::GgufPart part{bytes, "input"};
        const attn::GgufModel model = attn::readGgufModel({&part, 1}, layouts);
        for (const auto& [name, tensor] : model.tensors.front())
            attn::fuzz::answer([&] { attn::toFloat32(tensor); });
    });
}
