// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "loading/model_loader.h"
#include "text/tokenizer.h"

#include <memory>
#include <vector>

namespace {

// The tokenizers of the models that come with the program.
const std::vector<std::shared_ptr<const attn::Tokenizer>>& bundled()
{
    static const auto all = [] {
        std::vector<std::shared_ptr<const attn::Tokenizer>> tokenizers;
        std::vector<std::shared_ptr<const attn::Tokenizer>> ofOutputs;
        for (const attn::BundledModel& model : attn::bundledModels()) {
            const attn::Tokenizers own = attn::loadTokenizers(model.directory);
            if (own.source)
                tokenizers.push_back(own.source);
            if (own.target && own.target != own.source)
                ofOutputs.push_back(own.target);
        }
        tokenizers.insert(tokenizers.end(), ofOutputs.begin(), ofOutputs.end());
        attn::fuzz::require(!tokenizers.empty());
        return tokenizers;
    }();
    return all;
}

} // namespace

ATTN_FUZZ_TARGET(text)
{
    if (size == 0)
        return 0;
    const attn::Tokenizer& tokenizer = *bundled()[data[0] % bundled().size()];
    const auto texts = attn::fuzz::parts(attn::fuzz::text(data + 1, size - 1), 2);
    attn::fuzz::answer([&] {
        const attn::Encoding encoding = tokenizer.encode(texts[0]);
        attn::fuzz::require(encoding.tokens.size() == encoding.size() && encoding.spans.size() == encoding.size());
        for (const attn::ByteSpan& span : encoding.spans)
            attn::fuzz::require(span.begin <= span.end && span.end <= encoding.text.size());
        (void)tokenizer.decode(encoding.ids);
    });
    return attn::fuzz::answer([&] { (void)tokenizer.encodePair(texts[0], texts[1]); });
}
