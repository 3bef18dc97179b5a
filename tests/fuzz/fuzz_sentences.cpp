// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/limits.h"
#include "experiments/sentences.h"
#include "fuzz_input.h"

#include <string>
#include <string_view>

ATTN_FUZZ_TARGET(sentences)
{
    const std::string_view text = attn::fuzz::text(data, size);
    attn::fuzz::answer([&] {
        const auto sentences = attn::parseSentences(text);
        attn::fuzz::require(!sentences.empty() && sentences.size() <= attn::limit(attn::Limit::Sentences));
        std::string again = "\n"; // a mark at the beginning is none of the text
        for (const std::string& sentence : sentences)
            again += sentence + '\n';
        attn::fuzz::require(attn::parseSentences(again) == sentences);
    });
    return attn::fuzz::answer([&] {
        const auto pairs = attn::parseSentencePairs(text);
        attn::fuzz::require(!pairs.empty() && pairs.size() <= attn::limit(attn::Limit::Sentences));
        std::string again = "\n";
        for (const attn::SentencePair& pair : pairs) {
            attn::fuzz::require(!pair.source.empty() && !pair.reference.empty());
            again += pair.source + '\t' + pair.reference + '\n';
        }
        attn::fuzz::require(attn::parseSentencePairs(again).size() == pairs.size());
    });
}
