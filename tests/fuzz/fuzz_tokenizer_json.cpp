// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/json.h"
#include "text/files/tokenizer_json.h"
#include "varied_texts.h"

#include <nlohmann/json.hpp>

ATTN_FUZZ_TARGET(tokenizer_json)
{
    return attn::fuzz::answer([&] {
        const auto document = attn::parseJson(attn::fuzz::text(data, size), "input");
        const auto tokenizer = attn::buildTokenizerJson(document, "input", {}, {});
        const auto encoding = tokenizer->encodePair("The house\u00a0is \ufb01ne\u2026 \u00bd [MASK] \u65e5.", "a</s>b");
        (void)tokenizer->describe(encoding.ids);
        attn::fuzz::cutTexts(*tokenizer, data, size);
    });
}
