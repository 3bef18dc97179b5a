// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/gguf_tokenizer.h"

#include "base/byte_spelling.h"
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "io/gguf.h"
#include "text/pipeline_tokenizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

namespace {

// ggml's kinds of tokens.
constexpr std::int64_t unknownType = 2;
constexpr std::int64_t controlType = 3;
constexpr std::int64_t userDefinedType = 4;

std::string key(std::string_view name)
{
    return fmt::format("tokenizer.ggml.{}", name);
}

// Well-formed UTF-8, whatever the file says.
std::string sound(const std::string& text)
{
    std::string result;
    for (std::size_t position = 0; position < text.size();)
        appendUtf8(result, nextCodePoint(text, position));
    return result;
}

std::vector<std::string> readPieces(const GgufFile& file)
{
    auto pieces = file.texts(key("tokens"));
    if (!pieces || pieces->empty())
        file.refuse(key("tokens"), "the tokenizer has no pieces");
    for (std::string& piece : *pieces)
        piece = sound(piece);
    return std::move(*pieces);
}

std::optional<TokenId> readId(const GgufFile& file, std::string_view name, const std::vector<std::string>& pieces)
{
    const auto id = file.integer(key(name));
    if (!id)
        return std::nullopt;
    if (*id < 0 || *id >= std::ssize(pieces))
        file.refuse(key(name), fmt::format("{} is not the id of a piece", *id));
    return static_cast<TokenId>(*id);
}

NamedTokens readNamed(const GgufFile& file, const std::vector<std::string>& pieces)
{
    constexpr Named<const char*> fields{"bos_token_id",  "eos_token_id",     "separator_token_id", "cls_token_id",
                                        "mask_token_id", "padding_token_id", "unknown_token_id"};
    const auto read = [&](const char* field) { return readId(file, field, pieces); };
    NamedTokens named = fields.mapped<std::optional<TokenId>>(read);
    if (!named.sep)
        named.sep = read("seperator_token_id"); // so spelled in older files
    return named;
}

std::vector<AddedToken> readAdded(const GgufFile& file, const std::vector<std::string>& pieces,
                                  const NamedTokens& named)
{
    const auto types = file.integers(key("token_type"));
    if (types && types->size() != pieces.size())
        file.refuse(key("token_type"), fmt::format("{} types for {} pieces", types->size(), pieces.size()));
    std::vector<AddedToken> added;
    for (Index i = 0; i < indexSize(pieces); ++i) {
        const std::int64_t type = types ? (*types)[i] : 0;
        const bool isNamed =
            std::ranges::any_of(NamedTokens::members(), [&](auto member) { return named.*member == i; });
        if (isNamed || type == unknownType || type == controlType || type == userDefinedType)
            added.push_back({.id = i, .content = pieces[i], .special = type != userDefinedType});
    }
    return added;
}

PostProcessor surrounding(const GgufFile& file, const NamedTokens& named, bool usuallyBegins)
{
    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
    if (file.boolean(key("add_bos_token")).value_or(usuallyBegins) && named.bos)
        prefix.push_back(*named.bos);
    if (file.boolean(key("add_eos_token")).value_or(false) && named.eos)
        suffix.push_back(*named.eos);
    return surroundedBy(prefix, suffix);
}

// Steps as tokenizer.json describes them.
JsonObject ggufStep(const GgufFile& file, Json spec)
{
    return {std::move(spec), file.where()};
}

Json replacing(std::string_view from, std::string_view to)
{
    return {{"type", "Replace"}, {"pattern", {{"String", from}}}, {"content", to}};
}

void readLlama(const GgufFile& file, const std::vector<std::string>& pieces, PipelineTokenizer::Parts& parts)
{
    Json normalizers = Json::array();
    if (file.boolean(key("add_space_prefix")).value_or(true))
        normalizers.push_back({{"type", "Prepend"}, {"prepend", wordStartMark}});
    normalizers.push_back(replacing(" ", wordStartMark));
    const Json strip{{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}};
    const Json decoders =
        Json::array({replacing(wordStartMark, " "), {{"type", "ByteFallback"}}, {{"type", "Fuse"}}, strip});
    parts.normalizer = readNormalizer(ggufStep(file, {{"type", "Sequence"}, {"normalizers", normalizers}}));
    parts.decoder = readTokenDecoder(ggufStep(file, {{"type", "Sequence"}, {"decoders", decoders}}));
    const auto scores = file.numbers(key("scores"));
    if (!scores)
        file.refuse(key("scores"), "is missing");
    ScoredPieces scored{.vocabulary = std::make_shared<const Vocabulary>(pieces),
                        .scores = {scores->begin(), scores->end()}};
    const bool spellsBytes = scored.vocabulary->find("<0x00>").has_value();
    parts.model = scoredBpeModel(std::move(scored), parts.named.unk, spellsBytes, file.where());
    parts.processor = surrounding(file, parts.named, true);
}

std::vector<Merge> readMerges(const GgufFile& file)
{
    const auto lines = file.texts(key("merges"));
    if (!lines)
        file.refuse(key("merges"), "is missing");
    std::vector<Merge> merges;
    merges.reserve(lines->size());
    for (const std::string& line : *lines) {
        auto merge = mergeIn(sound(line));
        if (!merge)
            file.refuse(key("merges"), fmt::format("merge {} is not two pieces", merges.size()));
        merges.push_back(std::move(*merge));
    }
    return merges;
}

void readGpt2(const GgufFile& file, const std::vector<std::string>& pieces, PipelineTokenizer::Parts& parts)
{
    constexpr std::pair<std::string_view, std::string_view> expressions[] = {
        {"llama-bpe", llama3Words}, {"llama3", llama3Words}, {"llama-v3", llama3Words},
        {"qwen2", qwen2Words},      {"gpt-2", gpt2Words},    {"phi-2", gpt2Words}};
    const std::string name = file.text(key("pre")).value_or("gpt-2");
    const auto words = std::ranges::find(expressions, name, [](const auto& row) { return row.first; });
    if (words == std::end(expressions))
        throw Error(ErrorKind::Unsupported, file.where(), fmt::format("the pre-tokenizer \"{}\" is not known", name));
    const bool isLlama3 = words->second == llama3Words;
    parts.preTokenizer = byteLevelWords(words->second);
    parts.decoder = readTokenDecoder(ggufStep(file, {{"type", "ByteLevel"}}));
    parts.isByteLevel = true;
    parts.model = bpeModel(std::make_shared<const Vocabulary>(pieces), readMerges(file),
                           {.ignoreMerges = isLlama3, .name = "byte-level BPE"}, file.where());
    parts.processor = surrounding(file, parts.named, isLlama3);
}

// The file marks pieces that start a word with "▁"; WordPiece marks the others with "##".
std::vector<std::string> wordPieceSpelling(const std::vector<std::string>& pieces)
{
    std::vector<std::string> result;
    result.reserve(pieces.size());
    for (const std::string& piece : pieces) {
        const bool isBracketed = piece.size() > 1 && piece.starts_with('[') && piece.ends_with(']');
        if (piece.starts_with(wordStartMark))
            result.push_back(piece.substr(wordStartMark.size()));
        else
            result.push_back(isBracketed ? piece : "##" + piece);
    }
    return result;
}

void readBert(const GgufFile& file, const std::vector<std::string>& pieces, PipelineTokenizer::Parts& parts)
{
    const NamedTokens& named = parts.named;
    if (!named.unk || !named.sep || !(named.cls || named.bos))
        file.refuse(key("unknown_token_id"), "the tokenizer lacks [UNK], [SEP] or [CLS]");
    const bool isCased = std::ranges::find(pieces, "A") != pieces.end();
    parts.normalizer = readNormalizer(ggufStep(file, {{"type", "BertNormalizer"}, {"lowercase", !isCased}}));
    parts.preTokenizer = readPreTokenizer(ggufStep(file, {{"type", "BertPreTokenizer"}}));
    parts.decoder = readTokenDecoder(ggufStep(file, {{"type", "WordPiece"}}));
    parts.model =
        wordPieceModel(std::make_shared<const Vocabulary>(pieces), {.unknown = pieces[*named.unk]}, file.where());
    parts.processor = bertProcessor(named.cls ? *named.cls : *named.bos, *named.sep);
}

} // namespace

Tokenizers loadGgufTokenizers(const GgufFile& file)
{
    const auto kind = file.text(key("model"));
    if (!kind || *kind == "none" || *kind == "no_vocab")
        return {};
    const bool isBert = *kind == "bert";
    if (!isBert && *kind != "llama" && *kind != "gpt2")
        throw Error(ErrorKind::Unsupported, file.where(), fmt::format("the tokenizer \"{}\" is not known", *kind));
    const std::vector<std::string> pieces = isBert ? wordPieceSpelling(readPieces(file)) : readPieces(file);
    PipelineTokenizer::Parts parts;
    parts.named = readNamed(file, pieces);
    const auto read = isBert ? readBert : *kind == "llama" ? readLlama : readGpt2;
    read(file, pieces, parts);
    parts.added = AddedTokens(readAdded(file, pieces, parts.named), parts.normalizer, file.where());
    parts.origin = std::filesystem::path(file.where()).filename().string();
    const auto tokenizer = std::make_shared<const PipelineTokenizer>(std::move(parts));
    return {tokenizer, tokenizer, std::nullopt};
}

} // namespace attn
