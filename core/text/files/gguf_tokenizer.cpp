// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/gguf_tokenizer.h"

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "io/gguf.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/sentence_piece.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace attn {

namespace {

constexpr auto idsAreRead = "give ids with --source-ids";

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

// Each stands for one token, as llama.cpp demands; empty ones for none.
std::vector<std::string> readPieces(const GgufFile& file)
{
    auto pieces = file.texts(key("tokens"));
    if (!pieces || pieces->empty())
        file.refuse(key("tokens"), "the tokenizer has no pieces");
    std::unordered_map<std::string, std::size_t> ids;
    for (std::size_t id = 0; id < pieces->size(); ++id) {
        std::string& piece = (*pieces)[id];
        const auto [first, inserted] = ids.try_emplace(piece, id);
        piece = sound(piece);
        if (!inserted && !piece.empty())
            throw Error(ErrorKind::Format, fmt::format("{}: {}", file.where(), key("tokens")),
                        fmt::format("the piece \"{}\" stands there twice, as {} and {}", piece, first->second, id),
                        "convert the model again");
    }
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

// One for each piece.
std::vector<PieceType> readTypes(const GgufFile& file, std::size_t pieces)
{
    std::vector<PieceType> types(pieces, PieceType::Normal);
    const auto given = file.integers(key("token_type"));
    if (given && given->size() != pieces)
        file.refuse(key("token_type"), fmt::format("{} types for {} pieces", given->size(), pieces));
    for (std::size_t i = 0; given && i < pieces; ++i)
        if (const std::int64_t type = (*given)[i]; type >= 1 && type <= 6)
            types[i] = static_cast<PieceType>(type);
        else if (type != 0) // of no type in files of older programs
            file.refuse(key("token_type"), fmt::format("piece {} has type {}, not one of 1 to 6", i, type));
    return types;
}

// controlsAreTyped: a text that spells such a token becomes it.
std::vector<AddedToken> readAdded(const std::vector<std::string>& pieces, const std::vector<PieceType>& types,
                                  const NamedTokens& named, bool controlsAreTyped)
{
    std::vector<AddedToken> added;
    for (Index i = 0; i < indexSize(pieces); ++i) {
        const bool isNamed =
            std::ranges::any_of(NamedTokens::members(), [&](auto member) { return named.*member == i; });
        const bool isUserDefined = types[i] == PieceType::UserDefined;
        if (isNamed || isUserDefined || types[i] == PieceType::Unknown || types[i] == PieceType::Control)
            added.push_back({.id = i,
                             .content = pieces[i],
                             .special = !isUserDefined,
                             .isTyped = isUserDefined || controlsAreTyped});
    }
    return added;
}

PostProcessor surrounding(const GgufFile& file, const NamedTokens& named, bool usuallyBegins, bool usuallyEnds = false)
{
    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
    if (file.boolean(key("add_bos_token")).value_or(usuallyBegins) && named.bos)
        prefix.push_back(*named.bos);
    if (file.boolean(key("add_eos_token")).value_or(usuallyEnds) && named.eos)
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

ScoredPieces readScored(const GgufFile& file, const std::vector<std::string>& pieces)
{
    const auto scores = file.numbers(key("scores"));
    if (!scores)
        file.refuse(key("scores"), "is missing");
    if (scores->size() != pieces.size())
        file.refuse(key("scores"), fmt::format("has {} scores for {} pieces", scores->size(), pieces.size()));
    return {.vocabulary = std::make_shared<const Vocabulary>(pieces), .scores = {scores->begin(), scores->end()}};
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
    ScoredPieces scored = readScored(file, pieces);
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

// Expressions that find the words of a byte-level tokenizer, one after the other, by the names that
// tokenizer.ggml.pre gives them.
struct WordsRow
{
    std::vector<std::string_view> names;
    std::vector<std::string> expressions;
    bool isLlama3 = false; // a word that is a token is that token, whatever the merges; texts begin with a token
};

std::vector<WordsRow> wordsRows()
{
    const std::string words(gpt2Words);
    const std::string clitics = R"((?i:'s|'t|'re|'ve|'m|'ll|'d))";
    const std::string blanks = R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
    const std::string upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])";
    const std::string lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
    const std::string sign = R"([^\r\n\p{L}\p{N}]?)";
    const std::string signs = R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|)";
    const std::string bloom = R"( ?[^(\s|.,!?…。，、।۔،)]+)";
    const std::string threeDigits = "[0-9][0-9][0-9]";
    const auto cased = [&](const std::string& ending) {
        return sign + upper + '*' + lower + '+' + ending + '|' + sign + upper + '+' + lower + '*' + ending;
    };
    return {
        {{"gpt-2", "phi-2", "olmo", "mpt", "jais", "exaone4", "modern-bert"}, {words}},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral"}, {std::string(llama3Words)}, true},
        {{"dbrx", "smaug-bpe", "chatglm-bpe"}, {std::string(llama3Words)}},
        {{"qwen2", "stablelm2", "deepseek-r1-qwen"}, {std::string(qwen2Words)}},
        {{"qwen35"}, {clitics + '|' + sign + R"([\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" + blanks}},
        {{"tekken"}, {cased("") + R"(|\p{N})" + signs + blanks}, true},
        {{"gpt-4o", "llama4"}, {cased(clitics + '?') + R"(|\p{N}{1,3})" + signs + blanks}},
        {{"smollm", "starcoder", "refact", "command-r", "codeshell", "minerva-7b"}, {R"(\p{N})", words}},
        {{"falcon"}, {R"([\p{P}\$\+<=>\^~\|`]+)", words, threeDigits}},
        {{"default", ""}, {R"([\p{P}\$\+<=>\^~\|]+)", words, R"(\p{N}+)", threeDigits}},
        {{"bloom", "poro-chat"}, {bloom}},
        {{"viking"}, {bloom, R"(\p{N})"}},
        {{"deepseek-v3"},
         {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+",
          R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
          R"(| ?[\p{P}\p{S}]+[\r\n]*|)"
              + blanks}},
    };
}

void readGpt2(const GgufFile& file, const std::vector<std::string>& pieces, PipelineTokenizer::Parts& parts)
{
    const std::vector<WordsRow> rows = wordsRows();
    const std::string name = file.text(key("pre")).value_or("");
    const auto row = std::ranges::find_if(
        rows, [&](const WordsRow& known) { return std::ranges::find(known.names, name) != known.names.end(); });
    if (row == rows.end())
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), key("pre")),
                    fmt::format("the pre-tokenizer \"{}\" is not known", name), idsAreRead);
    parts.preTokenizer = byteLevelWords(row->expressions);
    parts.decoder = readTokenDecoder(ggufStep(file, {{"type", "ByteLevel"}}));
    parts.isByteLevel = true;
    parts.model = bpeModel(std::make_shared<const Vocabulary>(pieces), readMerges(file),
                           {.ignoreMerges = row->isLlama3, .name = "byte-level BPE"}, file.where());
    parts.processor = surrounding(file, parts.named, row->isLlama3);
}

// SentencePiece's unigram model, taken apart.
void readT5(const GgufFile& file, const std::vector<std::string>& pieces, PipelineTokenizer::Parts& parts)
{
    SentencePieceFile content;
    content.pieces = readScored(file, pieces);
    content.pieces.types = readTypes(file, pieces.size());
    if (const auto map = file.integers(key("precompiled_charsmap")); map && !map->empty()) {
        std::vector<std::byte> bytes;
        std::ranges::transform(*map, std::back_inserter(bytes),
                               [](std::int64_t byte) { return static_cast<std::byte>(byte); });
        content.normalizer.map.emplace(bytes, fmt::format("{}: {}", file.where(), key("precompiled_charsmap")));
    }
    content.normalizer.addsPrefix = file.boolean(key("add_space_prefix")).value_or(true);
    content.normalizer.dropsBlanks = file.boolean(key("remove_extra_whitespaces")).value_or(false);
    if (!parts.named.unk)
        file.refuse(key("unknown_token_id"), "is missing");
    content.pieces.types[*parts.named.unk] = PieceType::Unknown;
    content.unknown = pieces[*parts.named.unk];
    const auto model = std::make_shared<const SentencePieceModel>(std::move(content), file.where());
    parts.model = sentencePieceSubwords(
        {.model = model, .vocabulary = std::make_shared<const Vocabulary>(pieces), .unknown = *parts.named.unk});
    parts.decoder = sentencePieceDecoder(model);
    parts.processor = surrounding(file, parts.named, false, true);
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
    constexpr std::pair<std::string_view,
                        void (*)(const GgufFile&, const std::vector<std::string>&, PipelineTokenizer::Parts&)>
        kinds[] = {{"llama", readLlama}, {"gpt2", readGpt2}, {"bert", readBert}, {"t5", readT5}};
    const auto* const row = std::ranges::find(kinds, *kind, [](const auto& known) { return known.first; });
    if (row == std::end(kinds))
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), key("model")),
                    fmt::format("the tokenizer \"{}\" is not known", *kind), idsAreRead);
    const bool isBert = *kind == "bert";
    const std::vector<std::string> pieces = isBert ? wordPieceSpelling(readPieces(file)) : readPieces(file);
    PipelineTokenizer::Parts parts;
    parts.named = readNamed(file, pieces);
    row->second(file, pieces, parts);
    parts.added = AddedTokens(readAdded(pieces, readTypes(file, pieces.size()), parts.named, *kind != "llama"),
                              parts.normalizer, file.where());
    parts.origin = std::filesystem::path(file.where()).filename().string();
    const auto tokenizer = std::make_shared<const PipelineTokenizer>(std::move(parts));
    return {tokenizer, tokenizer, std::nullopt};
}

} // namespace attn
