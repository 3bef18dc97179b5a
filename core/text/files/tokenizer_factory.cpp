// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "io/gguf.h"
#include "text/files/gguf_tokenizer.h"
#include "text/files/languages.h"
#include "text/files/tokenizer_config.h"
#include "text/segment/sentence_piece.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

// Tokens that stand for no text, and the one for text outside the vocabulary.
struct SpecialTokens
{
    std::optional<TokenId> unknown;
    std::optional<TokenId> end;
    std::set<TokenId> silent; // padding, start, end: shown as special, left out of the text, never typed
};

// The id that config.json gives, else the library's own, else that of the usual spelling.
struct SpecialToken
{
    const char* field;
    std::optional<TokenId> own;
    const char* spelling;
};

std::optional<TokenId> resolve(const SpecialToken& token, const std::optional<JsonObject>& config,
                               const Vocabulary& vocabulary, int modelVocabulary)
{
    if (config && config->has(token.field))
        return config->requireInt(token.field, 0, modelVocabulary - 1);
    return token.own ? token.own : vocabulary.find(token.spelling);
}

// Number of ids that the model knows; a tokenizer that produces others does not belong to it.
int modelVocabulary(const std::optional<JsonObject>& config, const char* field, const Vocabulary& vocabulary,
                    const fs::path& file)
{
    const Index pieces = indexSize(vocabulary);
    if (!config || !config->has(field))
        return pieces;
    const auto size = config->requireInt(field, 1, std::numeric_limits<TokenId>::max());
    if (pieces > size)
        throw Error(ErrorKind::Format, file.string(),
                    fmt::format("has {} pieces, but {} in config.json is {}", pieces, field, size),
                    "the tokenizer does not belong to this model");
    return size;
}

SpecialTokens specialTokens(const std::optional<JsonObject>& config, const Vocabulary& vocabulary, int vocabularySize,
                            const NamedTokens& own)
{
    const auto id = [&](const SpecialToken& token) { return resolve(token, config, vocabulary, vocabularySize); };
    SpecialTokens special{id({"unk_token_id", own.unk, "<unk>"}), id({"eos_token_id", own.eos, "</s>"}), {}};
    for (const auto& silent : {special.end, id({"bos_token_id", own.bos, "<s>"}),
                               id({"pad_token_id", own.pad, "<pad>"}), id({"decoder_start_token_id", {}, "<pad>"})})
        if (silent && silent != special.unknown) // which stands for text
            special.silent.insert(*silent);
    return special;
}

// The source's own list of words. The ids in config.json are those of the target, apart from that of the end token
// where the source is read with one: any other line is a word, unless it is spelled like a special token.
SpecialTokens sourceSpecialTokens(const std::optional<JsonObject>& config, const Vocabulary& vocabulary,
                                  int vocabularySize, bool appendEnd)
{
    SpecialTokens special;
    special.unknown = vocabulary.find("<unk>");
    if (!special.unknown)
        special.unknown = resolve({"unk_token_id", {}, "<unk>"}, config, vocabulary, vocabularySize);
    if (appendEnd)
        special.end = resolve({"eos_token_id", {}, "</s>"}, config, vocabulary, vocabularySize);
    for (const auto& id : {special.end, vocabulary.find("<pad>"), vocabulary.find("<s>"), vocabulary.find("</s>")})
        if (id && id != special.unknown)
            special.silent.insert(*id);
    return special;
}

// The tokenizer of a model that was trained with such a vocabulary: the end token behind the text, if it is wanted.
std::shared_ptr<const Tokenizer> trainedTokenizer(const TokenizerConfig& files, PipelineTokenizer::Parts parts,
                                                  const SpecialTokens& special, bool appendEnd)
{
    const Vocabulary& vocabulary = parts.model->vocabulary();
    std::vector<AddedToken> added;
    const auto add = [&](TokenId id) {
        added.push_back({.id = id, .content = vocabulary.piece(id), .special = true, .isTyped = false});
    };
    std::ranges::for_each(special.silent, add);
    const bool hasCodes = parts.leadingCode != PipelineTokenizer::LeadingCode::Text;
    for (Index id = 0; hasCodes && id < indexSize(vocabulary); ++id) {
        const std::string& piece = vocabulary.pieces()[id];
        if (piece.starts_with(">>") && piece.ends_with("<<") && !special.silent.contains(id))
            add(id);
    }
    parts.added = AddedTokens(std::move(added), {}, files.directory().string());
    parts.bySentence = files.textFiles().kind == TextFiles::Kind::Sentences;
    parts.named.eos = special.end;
    parts.named.unk = special.unknown;
    if (appendEnd && special.end)
        parts.processor.single = surroundedBy({}, {*special.end}).single;
    parts.processor.pair.clear();
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const Tokenizer> sentencePieceTokenizer(const TokenizerConfig& files,
                                                        std::shared_ptr<const SentencePieceModel> model,
                                                        SharedVocabulary vocabulary, const SpecialTokens& special,
                                                        bool appendEnd, PipelineTokenizer::LeadingCode leadingCode)
{
    PipelineTokenizer::Parts parts;
    parts.leadingCode = leadingCode;
    parts.decoder = sentencePieceDecoder(model);
    parts.model =
        sentencePieceSubwords({std::move(model), std::move(vocabulary), special.unknown.value_or(0), special.silent});
    return trainedTokenizer(files, std::move(parts), special, appendEnd);
}

Tokenizers loadMarian(const TokenizerConfig& files)
{
    for (const char* name : {"source.spm", "target.spm", "vocab.json"})
        if (!files.hasFile(name))
            throw Error(ErrorKind::Format, files.directory().string(), fmt::format("holds no {}", name),
                        "a Marian tokenizer needs source.spm, target.spm and vocab.json");
    const auto& config = files.model();
    const auto load = [&](const char* name) {
        return Vocabulary::fromJson(JsonObject(files.file(name)), Vocabulary::Ids::Dense);
    };
    const auto side = [&](const char* modelFile, const SharedVocabulary& vocabulary, const char* vocabularyFile,
                          const char* sizeField) {
        const auto model = std::make_shared<const SentencePieceModel>(files.file(modelFile));
        const int size = modelVocabulary(config, sizeField, *vocabulary, files.file(vocabularyFile));
        SpecialTokens special = specialTokens(config, *vocabulary, size, {});
        special.unknown = vocabulary->find("<unk>"); // Marian's configuration does not name it
        return sentencePieceTokenizer(files, model, vocabulary, special, true, PipelineTokenizer::LeadingCode::Any);
    };
    constexpr auto shared = "vocab.json";
    constexpr auto separate = "target_vocab.json";
    const bool isSeparate = files.hasFile(separate);
    const char* const targetSize = config && config->has("decoder_vocab_size") ? "decoder_vocab_size" : "vocab_size";
    const auto vocabulary = load(shared);
    const auto source = side("source.spm", vocabulary, shared, "vocab_size");
    return {source,
            isSeparate ? side("target.spm", load(separate), separate, targetSize)
                       : side("target.spm", vocabulary, shared, targetSize),
            std::nullopt};
}

// A SentencePiece model whose pieces are numbered as it does: one side for each of these fields of config.json and
// whether its texts end with the end token.
std::vector<std::shared_ptr<const Tokenizer>> jointSides(const TokenizerConfig& files,
                                                         std::initializer_list<std::pair<const char*, bool>> sides)
{
    const fs::path file = files.file("tokenizer.model");
    const auto model = std::make_shared<const SentencePieceModel>(file);
    const auto vocabulary = std::make_shared<const Vocabulary>(model->pieces());
    const std::vector<TokenId> controls = model->controlTokens();
    std::vector<std::shared_ptr<const Tokenizer>> result;
    for (const auto& [sizeField, appendEnd] : sides) {
        const int size = modelVocabulary(files.model(), sizeField, *vocabulary, file);
        SpecialTokens special = specialTokens(files.model(), *vocabulary, size, model->named());
        special.silent.insert(controls.begin(), controls.end());
        result.push_back(sentencePieceTokenizer(files, model, vocabulary, special, appendEnd,
                                                PipelineTokenizer::LeadingCode::Known));
    }
    return result;
}

// A list of words between white space. isSource: it is the source's own, whose ids config.json does not name.
std::shared_ptr<const Tokenizer> wordTokenizer(const TokenizerConfig& files, const char* name, const char* sizeField,
                                               bool appendEnd, bool isSource)
{
    const fs::path file = files.file(name);
    const SharedVocabulary words = Vocabulary::fromLines(file);
    const int size = modelVocabulary(files.model(), sizeField, *words, file);
    requireWhole(files, *words, sizeField, file, isSource ? NamedIds::OfOther : NamedIds::OfThis);
    const SpecialTokens special = isSource ? sourceSpecialTokens(files.model(), *words, size, appendEnd)
                                           : specialTokens(files.model(), *words, size, {});
    PipelineTokenizer::Parts parts;
    if (files.textFiles().kind == TextFiles::Kind::Caption)
        parts.normalizer = readNormalizer({Json{{"type", "Lowercase"}}, file.string()});
    parts.preTokenizer = readPreTokenizer({Json{{"type", "WhitespaceSplit"}}, file.string()});
    parts.decoder = spaceDecoder();
    parts.processor.trimsSpans = true; // of that decoder's blanks
    parts.model = wordListModel(words, special.unknown.value_or(0), special.silent);
    return trainedTokenizer(files, std::move(parts), special, appendEnd);
}

Tokenizers bothSides(const std::shared_ptr<const Tokenizer>& tokenizer)
{
    return {tokenizer, tokenizer, std::nullopt};
}

// Tokenizers of models that read a text into one vector: one side only, sentence by sentence where sentences matter.
Tokenizers loadTextModel(const TokenizerConfig& files, bool sourceEnd)
{
    constexpr auto size = "vocab_size";
    if (files.hasFile("tokenizer.model"))
        return bothSides(jointSides(files, {{size, sourceEnd}}).front());
    if (files.hasFile("source.vocab"))
        return bothSides(wordTokenizer(files, "source.vocab", size, sourceEnd, false));
    return {};
}

// Tokenizer of the models that write about a picture: their input has no words.
Tokenizers loadCaptions(const TokenizerConfig& files)
{
    constexpr auto size = "target_vocab_size";
    if (files.hasFile("tokenizer.model"))
        return bothSides(jointSides(files, {{size, true}}).front());
    if (files.hasFile("target.vocab"))
        return bothSides(wordTokenizer(files, "target.vocab", size, true, false));
    return {};
}

[[noreturn]] void refuseKind(const TokenizerConfig& config)
{
    const std::string& name = config.tokenizerClass();
    throw Error(ErrorKind::Unsupported, config.directory().string(),
                name.empty() ? fmt::format("the tokenizer of a model of type \"{}\" is not read", config.modelType())
                             : fmt::format("the tokenizer {}Tokenizer without a tokenizer.json is not read", name),
                "save it once with Hugging Face's fast tokenizers");
}

// Languages of a multilingual model; null for other models. A tokenizer.json without a class has the first languages
// whose codes it knows.
const LanguageScheme* languageScheme(const PipelineTokenizer& tokenizer, const TokenizerConfig& config)
{
    const TokenizerClass* const known = findTokenizerClass(config);
    if (known == nullptr || known->languages == nullptr)
        return nullptr;
    if (!config.tokenizerClass().empty() || !config.hasFile("tokenizer.json"))
        return &known->languages->in(config);
    for (const TokenizerClass& row : tokenizerClasses()) {
        if (row.languages != nullptr && tokenizer.find(row.languages->telling))
            return &row.languages->in(config);
    }
    return nullptr;
}

Tokenizers withLanguages(const std::shared_ptr<const PipelineTokenizer>& tokenizer, const TokenizerConfig& config)
{
    const LanguageScheme* const scheme = languageScheme(*tokenizer, config);
    return scheme != nullptr ? withConfiguredLanguages(tokenizer, config, *scheme) : bothSides(tokenizer);
}

// A setting of the configuration in the place of a field of one part, where both have it.
void replaceFlag(Json& document, const char* part, const char* field, std::optional<bool> value)
{
    if (!value || !document.is_object())
        return;
    const auto found = document.find(part);
    if (found != document.end() && found->is_object() && found->contains(field))
        (*found)[field] = *value;
}

std::vector<TokenId> wantedToken(bool wanted, std::optional<TokenId> id, const char* setting,
                                 const TokenizerConfig& config)
{
    if (!wanted)
        return {};
    if (!id)
        throw Error(ErrorKind::Format, config.file("tokenizer_config.json").string(),
                    fmt::format("{}: the tokenizer has no such token", setting));
    return {*id};
}

std::shared_ptr<const PipelineTokenizer> withBeginAndEnd(std::shared_ptr<const PipelineTokenizer> tokenizer,
                                                         const TokenizerConfig& config)
{
    const Template& single = tokenizer->processor().single;
    if (single.empty())
        return tokenizer;
    const bool begins = single.front().kind == TemplatePart::Kind::Special;
    const bool ends = single.back().kind == TemplatePart::Kind::Special;
    const bool begin = config.flag("add_bos_token").value_or(begins);
    const bool end = config.flag("add_eos_token").value_or(ends);
    if (begin == begins && end == ends)
        return tokenizer;
    const NamedTokens named = tokenizer->namedTokens();
    return tokenizer->with(surroundedBy(wantedToken(begin, named.bos, "add_bos_token", config),
                                        wantedToken(end, named.eos, "add_eos_token", config)));
}

// tokenizer.json with what tokenizer_config.json and added_tokens.json say otherwise, where the tokenizer's class lets
// them: Llama's add_bos_token and add_eos_token; add_prefix_space of GPT-2, RoBERTa and BART; do_lower_case,
// strip_accents and tokenize_chinese_chars of BERT; and of every class the added tokens that the file lacks.
std::shared_ptr<const PipelineTokenizer> loadConfiguredJson(const TokenizerConfig& config)
{
    const std::filesystem::path path = config.file("tokenizer.json");
    const TokenizerClass* known = config.isGeneric() ? nullptr : findTokenizerClass(config);
    const JsonSettings settings = known == nullptr ? JsonSettings::None : known->settings;
    Json document = readJson(path);
    if (settings == JsonSettings::PrefixSpace)
        replaceFlag(document, "pre_tokenizer", "add_prefix_space", config.flag("add_prefix_space"));
    if (settings == JsonSettings::Bert) {
        replaceFlag(document, "normalizer", "lowercase", config.flag("do_lower_case"));
        replaceFlag(document, "normalizer", "strip_accents", config.flag("strip_accents"));
        replaceFlag(document, "normalizer", "handle_chinese_chars", config.flag("tokenize_chinese_chars"));
    }
    auto tokenizer = buildTokenizerJson(std::move(document), path.string(), config.named(), config.added());
    return settings == JsonSettings::BeginAndEnd ? withBeginAndEnd(std::move(tokenizer), config) : tokenizer;
}

// Tokenizers from the files that belong to one of Hugging Face's model types, the most telling first; what belongs to
// another kind of tokenizer is passed over.
Tokenizers loadHuggingFace(const TokenizerConfig& config)
{
    if (config.hasFile("tokenizer.json"))
        return withLanguages(loadConfiguredJson(config), config);
    const TokenizerClass* const named = findTokenizerClass(config);
    bool hasFiles = false;
    for (const TokenizerClass& candidate : tokenizerClasses()) {
        if (!candidate.hasFiles(config))
            continue;
        if (config.isNamed() ? named == &candidate : candidate.isUsual)
            return withLanguages(candidate.read(config), config);
        hasFiles = hasFiles || !candidate.files.front().empty();
    }
    const bool isUnknown = !config.tokenizerClass().empty() && named == nullptr;
    if (hasFiles || isUnknown)
        refuseKind(config);
    return {};
}

} // namespace

Tokenizers loadTokenizers(const fs::path& directory, TextFilesOf textFilesOf)
{
    std::error_code ignored;
    if (fs::is_regular_file(directory, ignored))
        return loadGgufTokenizers(GgufFile(directory));
    const TokenizerConfig files(directory, textFilesOf);
    const std::optional<JsonObject>& config = files.model();
    const TextFiles::Kind kind = files.textFiles().kind;
    const bool isRecurrent = kind == TextFiles::Kind::EncoderDecoder;
    const bool sourceEnd = !config || config->boolOr("source_eos", true);
    if (kind == TextFiles::Kind::Caption)
        return loadCaptions(files);
    if (kind == TextFiles::Kind::OneText || kind == TextFiles::Kind::Sentences)
        return loadTextModel(files, sourceEnd);
    const bool hasMarian = files.hasFile("source.spm") || files.hasFile("target.spm");
    const bool hasSourceWords = files.hasFile("source.vocab");
    const bool hasTargetWords = files.hasFile("target.vocab");
    const bool isMarian = (hasMarian || kind == TextFiles::Kind::Marian) && !isRecurrent;
    if (isMarian && hasMarian)
        return loadMarian(files);
    if (isMarian && files.hasFile("tokenizer.json"))
        return loadHuggingFace(files);
    if (files.hasFile("tokenizer.model")
        && (isRecurrent || isMarian || (!files.isNamed() && !files.hasFile("tokenizer.json")))) {
        const auto sides = jointSides(files, {{"source_vocab_size", sourceEnd}, {"target_vocab_size", true}});
        return {sides.front(), sides.back(), std::nullopt};
    }
    const bool readsWords = isRecurrent || isMarian || !files.isNamed();
    if (readsWords && hasSourceWords && hasTargetWords)
        return {wordTokenizer(files, "source.vocab", "source_vocab_size", sourceEnd, true),
                wordTokenizer(files, "target.vocab", "target_vocab_size", true, false), std::nullopt};
    if (readsWords && hasSourceWords != hasTargetWords)
        throw Error(ErrorKind::Format, files.file(hasSourceWords ? "target.vocab" : "source.vocab").string(),
                    "is missing", "give the words of both languages, source.vocab and target.vocab");
    return isRecurrent || isMarian ? Tokenizers{} : loadHuggingFace(files);
}

} // namespace attn
