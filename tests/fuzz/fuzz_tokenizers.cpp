// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"
#include "fuzz_input.h"
#include "io/gguf.h"
#include "io/json.h"
#include "loading/model_loader.h"
#include "text/files/gguf_tokenizer.h"
#include "text/files/tokenizer_json.h"
#include "text/segment/sentence_piece.h"
#include "text/steps/steps.h"
#include "text/tokenizer.h"
#include "text/unicode/regex.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn::fuzz {

// Calls visit with texts to be cut by a tokenizer that was read from the same input: a fixed one, the end of the input,
// and tokens that the end picks by number, which spell(number) gives.
template<class Spell, class Visit>
void forEachText(const std::uint8_t* data, std::size_t size, Spell spell, Visit visit)
{
    constexpr std::size_t longest = 64; // bytes
    visit(std::string("The house\u00a0is \ufb01ne\u2026 \u00bd O\u00f9 [MASK] \u65e5 </s>."));
    const std::string_view end = text(data, size).substr(size - std::min(size, longest));
    std::string sound;
    for (std::size_t position = 0; position < end.size();)
        appendUtf8(sound, nextCodePoint(end, position));
    visit(sound);
    std::string spelled;
    for (const char byte : end)
        spelled += spell(static_cast<unsigned char>(byte));
    visit(spelled);
}

// Cuts and joins such texts.
inline void cutTexts(const Tokenizer& tokenizer, const std::uint8_t* data, std::size_t size)
{
    const auto spell = [&](std::size_t number) {
        const TokenId id = static_cast<TokenId>(number);
        return tokenizer.describe({&id, 1}).text;
    };
    forEachText(data, size, spell, [&](const std::string& text) {
        const Encoding encoding = tokenizer.encode(text);
        for (const ByteSpan& span : encoding.spans)
            require(span.begin <= span.end && span.end <= encoding.text.size());
        (void)tokenizer.describe(encoding.ids);
    });
}

} // namespace attn::fuzz

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

namespace {

// Patterns that tokenizers split texts with.
constexpr std::string_view known[] = {attn::gpt2Words, attn::qwen2Words, attn::llama3Words};

} // namespace

// An expression, a NUL character and a text; or the number of a known expression and a text.
ATTN_FUZZ_TARGET(regex)
{
    auto given = attn::fuzz::parts(attn::fuzz::text(data, size), 2);
    if (const auto number = static_cast<std::size_t>(size > 0 ? data[0] : 0); number > 0 && number <= std::size(known))
        given = {known[number - 1], attn::fuzz::text(data + 1, size - 1)};
    return attn::fuzz::answer([&] {
        std::size_t last = 0;
        for (const attn::ByteSpan& match : attn::Regex(given[0], "input").matches(given[1])) {
            attn::fuzz::require(last <= match.begin && match.begin <= match.end && match.end <= given[1].size());
            last = match.end;
        }
    });
}

ATTN_FUZZ_TARGET(sentence_piece)
{
    return attn::fuzz::answer([&] {
        const attn::SentencePieceModel model(attn::fuzz::bytes(data, size), "input");
        const std::vector<std::string>& known = model.pieces();
        const auto spell = [&](std::size_t number) { return known[number % known.size()]; };
        attn::fuzz::forEachText(data, size, spell, [&](const std::string& text) {
            std::vector<std::string> pieces;
            for (const auto& piece : model.encode(text)) {
                attn::fuzz::require(piece.span.begin <= piece.span.end && piece.span.end <= text.size());
                pieces.push_back(piece.text);
            }
            model.decode(pieces);
        });
    });
}

ATTN_FUZZ_TARGET(gguf_tokenizer)
{
    return attn::fuzz::answer([&] {
        const attn::GgufFile file(attn::fuzz::bytes(data, size), "input");
        if (const auto tokenizer = attn::loadGgufTokenizers(file).source)
            attn::fuzz::cutTexts(*tokenizer, data, size);
    });
}

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
