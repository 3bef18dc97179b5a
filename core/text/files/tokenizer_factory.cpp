// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "io/gguf.h"
#include "io/json.h"
#include "text/files/configured_json.h"
#include "text/files/gguf_tokenizer.h"
#include "text/files/sentence_piece_tokenizers.h"
#include "text/files/tokenizer_classes.h"
#include "text/files/tokenizer_config.h"
#include "text/segment/sentence_piece.h"
#include "text/segment/vocabulary.h"
#include "text/sentence_wise.h"
#include "text/subword_tokenizer.h"
#include "text/tokenizer.h"
#include "text/word_level.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr auto recurrentType = "rnn_encoder_decoder";
constexpr auto marianType = "marian";

bool present(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

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

// How many ids the model knows; a tokenizer that produces others does not belong to it.
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
                            const SentencePieceModel* model)
{
    SpecialTokens special;
    const auto own = [model](auto member) { return model == nullptr ? std::optional<TokenId>{} : (model->*member)(); };
    special.unknown =
        resolve({"unk_token_id", own(&SentencePieceModel::unknown), "<unk>"}, config, vocabulary, vocabularySize);
    special.end = resolve({"eos_token_id", own(&SentencePieceModel::end), "</s>"}, config, vocabulary, vocabularySize);
    const auto start =
        resolve({"bos_token_id", own(&SentencePieceModel::start), "<s>"}, config, vocabulary, vocabularySize);
    const auto padding =
        resolve({"pad_token_id", own(&SentencePieceModel::padding), "<pad>"}, config, vocabulary, vocabularySize);
    const auto decoderStart = resolve({"decoder_start_token_id", {}, "<pad>"}, config, vocabulary, vocabularySize);
    for (const auto& id : {special.end, start, padding, decoderStart})
        if (id)
            special.silent.insert(*id);
    if (special.unknown) // stands for text
        special.silent.erase(*special.unknown);
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

Tokenizers loadMarian(const fs::path& directory, const std::optional<JsonObject>& config)
{
    for (const char* name : {"source.spm", "target.spm", "vocab.json"})
        if (!present(directory / name))
            throw Error(ErrorKind::Format, directory.string(), fmt::format("holds no {}", name),
                        "a Marian tokenizer needs source.spm, target.spm and vocab.json");
    const auto load = [&](const char* name) {
        return std::make_shared<const Vocabulary>(Vocabulary::fromJson(directory / name));
    };
    const auto side = [&](const char* modelFile, const std::shared_ptr<const Vocabulary>& vocabulary,
                          const char* vocabularyFile, const char* sizeField) {
        const auto model = std::make_shared<const SentencePieceModel>(directory / modelFile);
        const int size = modelVocabulary(config, sizeField, *vocabulary, directory / vocabularyFile);
        SpecialTokens special = specialTokens(config, *vocabulary, size, nullptr);
        special.unknown = vocabulary->find("<unk>"); // Marian's configuration does not name it
        return std::make_shared<const SubwordTokenizer>(model, vocabulary, special, true,
                                                        SubwordTokenizer::UnknownCode::Token);
    };
    constexpr auto shared = "vocab.json";
    constexpr auto separate = "target_vocab.json";
    const bool isSeparate = present(directory / separate);
    const char* const targetSize = config && config->has("decoder_vocab_size") ? "decoder_vocab_size" : "vocab_size";
    const auto vocabulary = load(shared);
    const auto source = side("source.spm", vocabulary, shared, "vocab_size");
    return {source,
            isSeparate ? side("target.spm", load(separate), separate, targetSize)
                       : side("target.spm", vocabulary, shared, targetSize),
            std::nullopt};
}

// One side of a joint SentencePiece model.
std::shared_ptr<const Tokenizer> jointSide(const std::shared_ptr<const SentencePieceModel>& model,
                                           const std::shared_ptr<const Vocabulary>& vocabulary, const fs::path& file,
                                           const std::optional<JsonObject>& config, const char* sizeField,
                                           bool appendEnd)
{
    const int size = modelVocabulary(config, sizeField, *vocabulary, file);
    SpecialTokens special = specialTokens(config, *vocabulary, size, model.get());
    for (const TokenId id : model->controlTokens())
        special.silent.insert(id);
    return std::make_shared<const SubwordTokenizer>(model, vocabulary, special, appendEnd);
}

struct WordList
{
    std::shared_ptr<const Vocabulary> words;
    int size = 0; // how many ids the model knows
};

WordList readWordList(const fs::path& file, const std::optional<JsonObject>& config, const char* sizeField)
{
    const auto words = std::make_shared<const Vocabulary>(Vocabulary::fromLines(file));
    return {words, modelVocabulary(config, sizeField, *words, file)};
}

// The list whose ids config.json names: the target's, or a model's only one.
std::shared_ptr<const Tokenizer> ownWords(const fs::path& file, const std::optional<JsonObject>& config,
                                          const char* sizeField, bool appendEnd)
{
    const auto [words, size] = readWordList(file, config, sizeField);
    return std::make_shared<const WordLevelTokenizer>(words, specialTokens(config, *words, size, nullptr), appendEnd);
}

std::shared_ptr<const Tokenizer> sourceWords(const fs::path& file, const std::optional<JsonObject>& config,
                                             bool appendEnd)
{
    const auto [words, size] = readWordList(file, config, "source_vocab_size");
    return std::make_shared<const WordLevelTokenizer>(words, sourceSpecialTokens(config, *words, size, appendEnd),
                                                      appendEnd);
}

Tokenizers loadJoint(const fs::path& file, const std::optional<JsonObject>& config, bool sourceEnd)
{
    const auto model = std::make_shared<const SentencePieceModel>(file);
    const auto vocabulary = std::make_shared<const Vocabulary>(model->pieces());
    const auto side = [&](const char* sizeField, bool appendEnd) {
        return jointSide(model, vocabulary, file, config, sizeField, appendEnd);
    };
    return {side("source_vocab_size", sourceEnd), side("target_vocab_size", true), std::nullopt};
}

Tokenizers loadWordLists(const fs::path& directory, const std::optional<JsonObject>& config, bool sourceEnd)
{
    return {sourceWords(directory / "source.vocab", config, sourceEnd),
            ownWords(directory / "target.vocab", config, "target_vocab_size", true), std::nullopt};
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

Tokenizers bothSides(const std::shared_ptr<const Tokenizer>& tokenizer)
{
    return {tokenizer, tokenizer, std::nullopt};
}

// Of the models that read a text into one vector: one side only, sentence by sentence where sentences matter.
Tokenizers loadTextModel(const TokenizerConfig& files, bool sourceEnd)
{
    constexpr auto size = "vocab_size";
    std::shared_ptr<const Tokenizer> tokenizer;
    if (files.hasFile("tokenizer.model")) {
        const fs::path file = files.file("tokenizer.model");
        const auto model = std::make_shared<const SentencePieceModel>(file);
        tokenizer =
            jointSide(model, std::make_shared<const Vocabulary>(model->pieces()), file, files.model(), size, sourceEnd);
    } else if (files.hasFile("source.vocab")) {
        tokenizer = ownWords(files.file("source.vocab"), files.model(), size, sourceEnd);
    } else {
        return {};
    }
    if (files.modelType() == "hierarchical_attention")
        tokenizer = std::make_shared<const SentenceWiseTokenizer>(tokenizer);
    return bothSides(tokenizer);
}

std::optional<LanguageScheme> languageScheme(const TokenizerConfig& config)
{
    const std::string& kind = config.tokenizerClass();
    if (kind == "Nllb" || (config.modelType() == "m2m_100" && kind.empty() && !config.hasFile("vocab.json")))
        return config.flag("legacy_behaviour", false) ? LanguageScheme::NllbLegacy : LanguageScheme::Nllb;
    if (kind == "M2M100" || config.modelType() == "m2m_100")
        return config.text("language_codes") == "wmt21" ? LanguageScheme::Wmt21 : LanguageScheme::M2M100;
    if (kind == "MBart50")
        return LanguageScheme::MBart50;
    if (kind == "MBart" || (config.modelType() == "mbart" && kind.empty()))
        return LanguageScheme::MBart;
    return std::nullopt;
}

[[noreturn]] void refuseKind(const TokenizerConfig& config)
{
    const std::string& name = config.tokenizerClass();
    throw Error(ErrorKind::Unsupported, config.directory().string(),
                name.empty() ? fmt::format("the tokenizer of a model of type \"{}\" is not read", config.modelType())
                             : fmt::format("the tokenizer {} without a tokenizer.json is not read", name),
                "save it once with Hugging Face's fast tokenizers");
}

// Of a multilingual model whose tokenizer has no class of its own: the first scheme whose codes it has.
std::optional<LanguageScheme> schemeOfCodes(const PipelineTokenizer& tokenizer, const TokenizerConfig& config)
{
    if (tokenizer.find("eng_Latn"))
        return config.flag("legacy_behaviour", false) ? LanguageScheme::NllbLegacy : LanguageScheme::Nllb;
    if (tokenizer.find("__en__"))
        return config.text("language_codes") == "wmt21" ? LanguageScheme::Wmt21 : LanguageScheme::M2M100;
    if (tokenizer.find("en_XX"))
        return tokenizer.find("gl_ES") ? LanguageScheme::MBart50 : LanguageScheme::MBart;
    return std::nullopt;
}

Tokenizers loadJsonTokenizer(const TokenizerConfig& config)
{
    const auto tokenizer = loadConfiguredJson(config);
    const bool hasClass = !config.tokenizerClass().empty();
    const bool isMultilingual = isOneOf(config.modelType(), {"m2m_100", "mbart"});
    const auto scheme = isMultilingual && !hasClass ? schemeOfCodes(*tokenizer, config) : languageScheme(config);
    return scheme ? withConfiguredLanguages(tokenizer, config, *scheme) : bothSides(tokenizer);
}

// From the files that belong to one of Hugging Face's model types, the most telling first; what belongs to another kind
// of tokenizer is passed over.
Tokenizers loadHuggingFace(const TokenizerConfig& config)
{
    if (config.hasFile("tokenizer.json"))
        return loadJsonTokenizer(config);
    if (const auto scheme = languageScheme(config); scheme && config.hasFile("sentencepiece.bpe.model"))
        return loadMultilingualSentencePiece(config, *scheme);
    const TokenizerClass* named = findTokenizerClass(config);
    bool hasFiles = false;
    for (const TokenizerClass& candidate : tokenizerClasses()) {
        if (!candidate.hasFiles(config))
            continue;
        if (config.kind().empty() ? candidate.isUsual : named == &candidate)
            return bothSides(candidate.load(config));
        hasFiles = true;
    }
    if (hasFiles)
        refuseKind(config);
    return {};
}

} // namespace

Tokenizers loadTokenizers(const fs::path& directory)
{
    std::error_code ignored;
    if (fs::is_regular_file(directory, ignored))
        return loadGgufTokenizers(GgufFile(directory));
    const TokenizerConfig files(directory);
    const std::optional<JsonObject>& config = files.model();
    const std::string& type = files.modelType();
    const bool isRecurrent = type == recurrentType;
    const bool sourceEnd = !config || config->boolOr("source_eos", true);
    if (isOneOf(type, {"attention_pooling", "structured_self_attention", "lstmn", "hierarchical_attention"}))
        return loadTextModel(files, sourceEnd);
    const bool hasMarian = files.hasFile("source.spm") || files.hasFile("target.spm");
    const bool hasSourceWords = files.hasFile("source.vocab");
    const bool hasTargetWords = files.hasFile("target.vocab");
    const bool hasJoint = files.hasFile("tokenizer.model");
    const bool isMarian = (hasMarian || type == marianType) && !isRecurrent;
    if (isMarian && hasMarian)
        return loadMarian(directory, config);
    if (isMarian && files.hasFile("tokenizer.json"))
        return loadHuggingFace(files);
    const bool isNamed = !type.empty() || !files.tokenizerClass().empty();
    if (hasJoint && (isRecurrent || isMarian || (!isNamed && !files.hasFile("tokenizer.json"))))
        return loadJoint(directory / "tokenizer.model", config, sourceEnd);
    const bool readsWords = isRecurrent || isMarian || !isNamed;
    if (readsWords && hasSourceWords && hasTargetWords)
        return loadWordLists(directory, config, sourceEnd);
    if (readsWords && hasSourceWords != hasTargetWords)
        throw Error(ErrorKind::Format, (directory / (hasSourceWords ? "target.vocab" : "source.vocab")).string(),
                    "is missing", "give the words of both languages, source.vocab and target.vocab");
    return isRecurrent || isMarian ? Tokenizers{} : loadHuggingFace(files);
}

} // namespace attn
