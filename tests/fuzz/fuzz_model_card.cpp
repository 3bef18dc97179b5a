// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"

#include <string>

ATTN_FUZZ_TARGET(model_card)
{
    constexpr std::size_t longest = 2000;
    const auto text = attn::fuzz::text(data, size);
    return attn::fuzz::answer([&] {
        const attn::ModelCard card = attn::parseModelCard(text);
        for (const attn::ModelExample& example : card.examples)
            for (const std::string& said : {example.text, example.output})
                attn::fuzz::require(said.size() <= longest && said.find('\n') == std::string::npos);
        attn::BundledModel model;
        attn::describe(model, text);
        attn::fuzz::require(model.summary.size() <= text.size() && model.languages.size() <= longest);
        (void)attn::languagesText(model);
    });
}
