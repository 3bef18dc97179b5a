// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "loading/model_loader.h"
#include "text/tokenizer.h"

#include <fmt/format.h>
#include <iterator>
#include <string>

// A byte that chooses the type of the model, then the files of its folder: a byte for the name, two for the number of
// bytes, the lower first, and these. The text is one of them.
ATTN_FUZZ_TARGET(tokenizer_folder)
{
    static constexpr const char* types[] = {"",
                                            "gpt2",
                                            "roberta",
                                            "bart",
                                            "qwen2",
                                            "bert",
                                            "t5",
                                            "llama",
                                            "mbart",
                                            "xlm-roberta",
                                            "m2m_100",
                                            "marian",
                                            "rnn_encoder_decoder",
                                            "attention_pooling",
                                            "hierarchical_attention"};
    static constexpr const char* names[] = {"text.txt",
                                            "config.json",
                                            "tokenizer_config.json",
                                            "special_tokens_map.json",
                                            "added_tokens.json",
                                            "tokenizer.json",
                                            "vocab.json",
                                            "merges.txt",
                                            "vocab.txt",
                                            "spiece.model",
                                            "tokenizer.model",
                                            "sentencepiece.bpe.model",
                                            "source.spm",
                                            "target.spm",
                                            "target_vocab.json",
                                            "source.vocab",
                                            "target.vocab"};
    static const attn::fuzz::Folder folder("tokenizer_folder");
    if (size == 0)
        return 0;
    for (const char* name : names)
        std::filesystem::remove(folder.path() / name);
    if (const std::string type = types[data[0] % std::size(types)]; !type.empty())
        folder.put("config.json", fmt::format(R"({{"model_type": "{}"}})", type));
    std::string text = "The house is \ufb01ne \u65e5 </s> [MASK]";
    for (std::string_view rest = attn::fuzz::text(data + 1, size - 1); rest.size() >= 3;) {
        const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(rest[i])}; };
        const std::size_t name = byte(0) % std::size(names);
        const std::string_view content = rest.substr(3, byte(1) + 256 * byte(2));
        rest.remove_prefix(3 + content.size());
        if (name == 0)
            text = content;
        else
            folder.put(names[name], content);
    }
    return attn::fuzz::answer([&] {
        const attn::Tokenizers tokenizers = attn::loadTokenizers(folder.path());
        for (const auto& tokenizer : {tokenizers.source, tokenizers.target}) {
            if (!tokenizer)
                continue;
            const attn::Encoding encoding = tokenizer->encode(text);
            attn::fuzz::require(encoding.tokens.size() == encoding.size() && encoding.spans.size() == encoding.size());
            for (const attn::ByteSpan& span : encoding.spans)
                attn::fuzz::require(span.begin <= span.end && span.end <= encoding.text.size());
            (void)tokenizer->describe(encoding.ids);
        }
    });
}
