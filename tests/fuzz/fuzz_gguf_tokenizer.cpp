// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/gguf.h"
#include "text/files/gguf_tokenizer.h"
#include "varied_texts.h"

ATTN_FUZZ_TARGET(gguf_tokenizer)
{
    return attn::fuzz::answer([&] {
        const attn::GgufFile file(attn::fuzz::bytes(data, size), "input");
        if (const auto tokenizer = attn::loadGgufTokenizers(file).source)
            attn::fuzz::cutTexts(*tokenizer, data, size);
    });
}
