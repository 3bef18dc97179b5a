// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "loading/model_loader.h"
#include "text/tokenizer.h"

#include <iterator>

ATTN_FUZZ_TARGET(vocabulary)
{
    static const attn::fuzz::Folder folder("vocabulary");
    static constexpr const char* names[] = {"config.json",
                                            "tokenizer_config.json",
                                            "special_tokens_map.json",
                                            "added_tokens.json",
                                            "vocab.txt",
                                            "vocab.json",
                                            "merges.txt"};
    const auto files = attn::fuzz::parts(attn::fuzz::text(data, size), std::size(names));
    for (std::size_t i = 0; i < std::size(names); ++i) {
        std::filesystem::remove(folder.path() / names[i]);
        if (!files[i].empty())
            folder.put(names[i], files[i]);
    }
    return attn::fuzz::answer([] {
        const attn::Tokenizers tokenizers = attn::loadTokenizers(folder.path());
        for (const auto& tokenizer : {tokenizers.source, tokenizers.target}) {
            if (tokenizer)
                (void)tokenizer->describe(tokenizer->encode("The house is \ufb01ne \u65e5 </s> [MASK]").ids);
        }
    });
}
