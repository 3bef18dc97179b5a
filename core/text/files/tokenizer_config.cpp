// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_config.h"

#include "base/error.h"
#include "base/index.h"
#include "base/plain_text.h"
#include "io/mapped_file.h"
#include "text/files/languages.h"
#include "text/files/tokenizer_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr TokenId largestConfiguredId = std::numeric_limits<TokenId>::max();
// Embeddings have up to so many rows beyond the pieces: their number is rounded up to a multiple of 1024 at most.
constexpr TokenId mostPadding = 1023;

constexpr std::array namedIdFields = {"pad_token_id", "unk_token_id", "bos_token_id",  "eos_token_id",
                                      "cls_token_id", "sep_token_id", "mask_token_id", "decoder_start_token_id"};

std::optional<JsonObject> readObject(const fs::path& path)
{
    return isThere(path) ? std::optional(JsonObject(path)) : std::nullopt;
}

std::string withoutEnd(std::string name, std::string_view end)
{
    if (name.ends_with(end))
        name.erase(name.size() - end.size());
    return name;
}

// "<s>", or {"content": "<s>", ...}.
std::string spellingIn(const std::optional<JsonObject>& object, const char* field)
{
    if (!object || !object->has(field))
        return {};
    return object->find(field)->is_object() ? object->requireObject(field).requireString("content")
                                            : object->requireString(field);
}

TokenId parseId(const std::string& text, const std::string& where)
{
    const auto id = parsedNumber<TokenId>(text);
    if (!id || *id < 0)
        throw Error(ErrorKind::Format, where, fmt::format("added_tokens_decoder: \"{}\" is not an id", text));
    return *id;
}

} // namespace

TokenizerConfig::TokenizerConfig(const fs::path& directory, TextFilesOf textFilesOf)
    : m_directory(directory)
    , m_model(readObject(directory / "config.json"))
    , m_tokenizer(readObject(directory / "tokenizer_config.json"))
    , m_map(readObject(directory / "special_tokens_map.json"))
{
    if (m_model)
        m_modelType = m_model->stringOr("model_type", {});
    m_textFiles = textFilesOf(m_modelType);
    for (const auto* object : {&m_tokenizer, &m_model})
        if (m_class.empty() && *object)
            readClass(**object);
    constexpr Named<const char*> fields{"bos_token",  "eos_token", "sep_token", "cls_token",
                                        "mask_token", "pad_token", "unk_token"};
    m_named = fields.mapped<std::string>([this](const char* field) { return spelling(field); });
    readAdded();
}

void TokenizerConfig::readClass(const JsonObject& object)
{
    constexpr std::array<std::string_view, 2> generic = {"PreTrained", "TokenizersBackend"};
    m_class = withoutEnd(withoutEnd(object.stringOr("tokenizer_class", {}), "Fast"), "Tokenizer");
    if (std::ranges::find(generic, m_class) == generic.end())
        return;
    m_isGeneric = true;
    m_class.clear();
}

bool TokenizerConfig::hasFile(std::string_view name) const
{
    return isThere(m_directory / name);
}

std::string TokenizerConfig::spelling(const char* field) const
{
    const std::string own = spellingIn(m_tokenizer, field);
    return own.empty() ? spellingIn(m_map, field) : own;
}

void TokenizerConfig::readAdded()
{
    if (m_tokenizer && m_tokenizer->has("added_tokens_decoder")) {
        const JsonObject tokens = m_tokenizer->requireObject("added_tokens_decoder");
        for (const std::string& id : tokens.fields())
            m_added.push_back(readAddedToken(tokens.requireObject(id), parseId(id, tokens.where())));
        return;
    }
    const auto plain = readObject(m_directory / "added_tokens.json");
    if (!plain)
        return;
    for (const std::string& content : plain->fields()) {
        AddedToken token;
        token.content = content;
        token.id = plain->requireInt(content, 0, largestConfiguredId);
        token.special =
            std::ranges::any_of(NamedSpellings::members(), [&](auto member) { return m_named.*member == content; });
        m_added.push_back(std::move(token));
    }
}

bool TokenizerConfig::flag(std::string_view field, bool fallback) const
{
    return m_tokenizer ? m_tokenizer->boolOr(field, fallback) : fallback;
}

std::optional<bool> TokenizerConfig::flag(std::string_view field) const
{
    return m_tokenizer && m_tokenizer->has(field) ? std::optional(m_tokenizer->boolOr(field, false)) : std::nullopt;
}

std::string TokenizerConfig::text(std::string_view field) const
{
    return m_tokenizer ? m_tokenizer->stringOr(field, {}) : std::string{};
}

int TokenizerConfig::integer(std::string_view field, int minimum, int maximum, int fallback) const
{
    return m_tokenizer ? m_tokenizer->optionalInt(field, minimum, maximum).value_or(fallback) : fallback;
}

void requireWhole(const TokenizerConfig& config, const Vocabulary& pieces, const char* sizeField, const fs::path& file,
                  NamedIds named)
{
    if (!config.model() || !config.model()->has(sizeField))
        return;
    const JsonObject& model = *config.model();
    const TokenId size = model.requireInt(sizeField, 1, largestConfiguredId);
    const auto& added = config.added();
    std::string lacks;
    for (const char* field : namedIdFields) {
        const Json* const value = named == NamedIds::OfThis ? model.find(field) : nullptr;
        const auto id = value != nullptr ? indexIn(*value, size - 1) : std::nullopt; // what is outside means nothing
        if (id && lacks.empty() && !pieces.contains(*id)
            && std::ranges::find(added, *id, &AddedToken::id) == added.end())
            lacks = fmt::format(", and {} {} is not in it", field, *id);
    }
    TokenId reached = indexSize(pieces);
    for (const AddedToken& token : added)
        reached = std::max(reached, std::min(token.id, size - 1) + 1);
    if (!lacks.empty() || size - reached > mostPadding)
        throw Error(ErrorKind::Format, file.string(),
                    fmt::format("has {} lines, but {} in config.json is {}{}", pieces.size(), sizeField, size, lacks),
                    "it is cut off or belongs to another model: get the file again");
}

// Tokenizers without a tokenizer.json, from vocabularies or SentencePiece models whose pieces a network numbers in its
// own way, each defined in a file of this folder. All throw Error{File, Format}.
TokenizerLoader loadBertVocabulary; // vocab.txt: BERT's basic tokenizer and WordPiece
TokenizerLoader loadGpt2Bpe; // vocab.json and merges.txt: byte-level BPE, nothing around the text
TokenizerLoader loadRobertaBpe; // the same: <s> text </s>
TokenizerLoader loadClipBpe; // lowered, pieces that end a word end with </w>: <|startoftext|> text <|endoftext|>
TokenizerLoader loadQwen2Bpe; // GPT-2's with other words
TokenizerLoader loadLlamaSentencePiece; // tokenizer.model: <s> text
TokenizerLoader loadByT5Bytes; // no file: bytes from 3 on, </s> behind the text, sentinels above the bytes
TokenizerLoader loadT5SentencePiece; // spiece.model: text </s>, sentinels <extra_id_0> ... above the pieces
TokenizerLoader loadXlmRobertaSentencePiece; // sentencepiece.bpe.model, fairseq's four tokens in front: <s> text </s>
// The same, or sentencepiece.bpe.model with vocab.json for M2M-100, with language codes behind the pieces.
std::shared_ptr<const PipelineTokenizer> loadMultilingualSentencePiece(const TokenizerConfig& config,
                                                                       const LanguageScheme& scheme);

namespace {

using Files = std::array<std::string_view, 2>;

constexpr Files fairseqFiles{"sentencepiece.bpe.model"};
constexpr Files t5Files{"spiece.model"};
constexpr Files wordPieceFiles{"vocab.txt"};
constexpr Files byteLevelFiles{"vocab.json", "merges.txt"};
constexpr Files llamaFiles{"tokenizer.model"};
constexpr Files noFiles{};

// The most telling files first; of schemes that share codes, the one with more of them.
constexpr TokenizerClass classes[] = {
    {"Nllb", fairseqFiles, nullptr, JsonSettings::None, false, &nllbLanguages},
    {"M2M100", fairseqFiles, nullptr, JsonSettings::None, false, &m2m100Languages},
    {"MBart50", fairseqFiles, nullptr, JsonSettings::None, false, &mbart50Languages},
    {"MBart", fairseqFiles, nullptr, JsonSettings::None, false, &mbartLanguages},
    {"XLMRoberta", fairseqFiles, loadXlmRobertaSentencePiece, JsonSettings::None, true},
    {"T5", t5Files, loadT5SentencePiece, JsonSettings::None, true},
    {"MT5", t5Files, loadT5SentencePiece},
    {"Siglip", t5Files, loadT5SentencePiece},
    {"ByT5", noFiles, loadByT5Bytes},
    {"Bert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert, true},
    {"DistilBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"Electra", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"MobileBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"ConvBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"LayoutLM", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"SqueezeBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"GPT2", byteLevelFiles, loadGpt2Bpe, JsonSettings::PrefixSpace, true},
    {"Roberta", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Bart", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Longformer", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"LED", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Whisper", byteLevelFiles, loadGpt2Bpe},
    {"Qwen2", byteLevelFiles, loadQwen2Bpe},
    {"CLIP", byteLevelFiles, loadClipBpe},
    {"Llama", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"CodeLlama", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"Mistral", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
};

// The first conversions of LLaMA name "LLaMATokenizer", others spell theirs in small letters.
bool isSameName(std::string_view a, std::string_view b)
{
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, small, small);
}

const TokenizerClass* findClass(std::string_view name)
{
    const auto found =
        std::ranges::find_if(classes, [&](const TokenizerClass& row) { return isSameName(row.name, name); });
    return found == std::end(classes) ? nullptr : &*found;
}

} // namespace

bool TokenizerClass::hasFiles(const TokenizerConfig& config) const
{
    return std::ranges::all_of(files, [&](std::string_view file) { return file.empty() || config.hasFile(file); });
}

std::shared_ptr<const PipelineTokenizer> TokenizerClass::read(const TokenizerConfig& config) const
{
    return languages == nullptr ? load(config) : loadMultilingualSentencePiece(config, languages->in(config));
}

std::span<const TokenizerClass> tokenizerClasses()
{
    return classes;
}

const TokenizerClass* findTokenizerClass(const TokenizerConfig& config)
{
    const TextFiles& usual = config.textFiles();
    const std::string& named = config.tokenizerClass();
    const TokenizerClass* const other = findClass(usual.multilingualClass);
    const bool isOther = named.empty() ? config.hasFile("vocab.json") : named != usual.tokenizerClass;
    if (other != nullptr && isOther && (config.hasFile("tokenizer.json") || other->hasFiles(config)))
        return other;
    return findClass(named.empty() ? usual.tokenizerClass : named);
}

} // namespace attn
