// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "text/files/languages.h"
#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/sentence_piece.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

// Numbers that a network gives to the pieces of a model, and the tokens that it has besides.
struct Numbering
{
    std::vector<std::string> spellings; // by id
    std::vector<AddedToken> added;
};

AddedToken specialToken(TokenId id, std::string content)
{
    return {.id = id, .content = std::move(content), .special = true};
}

Numbering ownNumbering(const SentencePieceModel& model)
{
    Numbering numbering{model.pieces(), {}};
    for (const TokenId id : model.controlTokens())
        numbering.added.push_back(specialToken(id, numbering.spellings[id]));
    if (const auto unknown = model.named().unk)
        numbering.added.push_back(specialToken(*unknown, numbering.spellings[*unknown]));
    return numbering;
}

// fairseq puts <s> <pad> </s> <unk> first; the model has <unk> <s> </s> there.
Numbering fairseqNumbering(const SentencePieceModel& model, const fs::path& path)
{
    const std::vector<std::string> pieces = model.pieces();
    const NamedTokens named = model.named();
    if (pieces.size() < 3 || named.unk != TokenId{0} || named.bos != TokenId{1} || named.eos != TokenId{2})
        throw Error(ErrorKind::Format, path.string(), "does not begin with <unk>, <s> and </s>",
                    "it does not belong to this kind of model");
    Numbering numbering{{"<s>", "<pad>", "</s>", "<unk>"}, {}};
    for (TokenId id = 0; id < 4; ++id)
        numbering.added.push_back(specialToken(id, numbering.spellings[id]));
    numbering.spellings.insert(numbering.spellings.end(), pieces.begin() + 3, pieces.end());
    return numbering;
}

// M2M-100's vocab.json gives the ids; pieces that it lacks are unknown.
Numbering vocabularyNumbering(const fs::path& path)
{
    const SharedVocabulary vocabulary = Vocabulary::fromJson(JsonObject(path), Vocabulary::Ids::Dense);
    if (!vocabulary->find("<unk>"))
        throw Error(ErrorKind::Format, path.string(), "lacks <unk>");
    Numbering numbering{vocabulary->pieces(), {}};
    for (const char* name : {"<s>", "<pad>", "</s>", "<unk>"})
        if (const auto id = vocabulary->find(name))
            numbering.added.push_back(specialToken(*id, name));
    return numbering;
}

void appendMask(Numbering& numbering, TokenId id)
{
    AddedToken mask = specialToken(id, "<mask>");
    mask.leftStrip = true;
    numbering.added.push_back(std::move(mask));
}

struct Loaded
{
    std::shared_ptr<const SentencePieceModel> model;
    Numbering numbering;
    NamedSpellings named;
    std::string file;
    SentencePieceModel::TextPart behindTokens = SentencePieceModel::TextPart::Whole;
};

PipelineTokenizer::Parts assemble(Loaded loaded, const TokenizerConfig& config)
{
    PipelineTokenizer::Parts parts;
    SentencePieceParts pieces{.model = loaded.model, .behindTokens = loaded.behindTokens};
    for (const AddedToken& token : loaded.numbering.added) {
        if (token.content == loaded.named.unk)
            pieces.unknown = token.id;
        else
            pieces.silent.insert(token.id);
    }
    pieces.vocabulary = std::make_shared<const Vocabulary>(std::move(loaded.numbering.spellings));
    parts.model = sentencePieceSubwords(std::move(pieces));
    parts.decoder = sentencePieceDecoder(loaded.model);
    // Tokens of the configuration take the place of those that the numbering gives by itself.
    addTokens(parts, withMissing(config.added(), loaded.numbering.added), withDefaults(config.named(), loaded.named),
              config.file(loaded.file).string());
    parts.origin = loaded.file;
    return parts;
}

std::vector<TokenId> whereKnown(bool wanted, std::optional<TokenId> id)
{
    return wanted && id ? std::vector{*id} : std::vector<TokenId>{};
}

Loaded loadOwn(const TokenizerConfig& config, const char* file)
{
    Loaded loaded{std::make_shared<const SentencePieceModel>(config.file(file)), {}, {}, file};
    if (!config.flag("legacy", true))
        loaded.behindTokens = SentencePieceModel::TextPart::Continued;
    loaded.numbering = ownNumbering(*loaded.model);
    loaded.named = loaded.model->named().mapped<std::string>(
        [&](std::optional<TokenId> id) { return id ? loaded.numbering.spellings[*id] : std::string(); });
    return loaded;
}

constexpr auto fairseqFile = "sentencepiece.bpe.model";
const NamedSpellings fairseqNames{"<s>", "</s>", "</s>", "<s>", "<mask>", "<pad>", "<unk>"};

} // namespace

std::shared_ptr<const PipelineTokenizer> loadLlamaSentencePiece(const TokenizerConfig& config)
{
    auto parts = assemble(loadOwn(config, "tokenizer.model"), config);
    parts.processor = surroundedBy(whereKnown(config.flag("add_bos_token", true), parts.named.bos),
                                   whereKnown(config.flag("add_eos_token", false), parts.named.eos));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const PipelineTokenizer> loadT5SentencePiece(const TokenizerConfig& config)
{
    constexpr int usualSentinels = 100;
    constexpr int mostSentinels = 10000;
    Loaded loaded = loadOwn(config, "spiece.model");
    const TokenId pieces = indexSize(loaded.numbering.spellings);
    const auto sentinels = config.integer("extra_ids", 0, mostSentinels, usualSentinels);
    for (TokenId i = 0; i < sentinels; ++i) {
        AddedToken sentinel = specialToken(pieces + sentinels - 1 - i, fmt::format("<extra_id_{}>", i));
        sentinel.leftStrip = true;
        sentinel.rightStrip = true;
        loaded.numbering.added.push_back(std::move(sentinel));
    }
    auto parts = assemble(std::move(loaded), config);
    parts.processor = surroundedBy({}, whereKnown(true, parts.named.eos));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const PipelineTokenizer> loadXlmRobertaSentencePiece(const TokenizerConfig& config)
{
    const fs::path path = config.file(fairseqFile);
    Loaded loaded{std::make_shared<const SentencePieceModel>(path), {}, fairseqNames, fairseqFile};
    loaded.numbering = fairseqNumbering(*loaded.model, path);
    appendMask(loaded.numbering, indexSize(loaded.numbering.spellings));
    auto parts = assemble(std::move(loaded), config);
    if (!parts.named.cls || !parts.named.sep)
        throw Error(ErrorKind::Format, config.file("tokenizer_config.json").string(),
                    "names a cls or sep token that the tokenizer does not have");
    parts.processor = robertaProcessor(*parts.named.cls, *parts.named.sep, false);
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const PipelineTokenizer> loadMultilingualSentencePiece(const TokenizerConfig& config,
                                                                       const LanguageScheme& scheme)
{
    const fs::path path = config.file(fairseqFile);
    Loaded loaded{std::make_shared<const SentencePieceModel>(path), {}, fairseqNames, fairseqFile};
    loaded.numbering =
        scheme.byVocabulary ? vocabularyNumbering(config.file("vocab.json")) : fairseqNumbering(*loaded.model, path);
    auto next = indexSize(loaded.numbering.spellings);
    for (const std::string& code : scheme.published())
        loaded.numbering.added.push_back(specialToken(next++, scheme.token(code)));
    if (!scheme.byVocabulary)
        appendMask(loaded.numbering, next);
    return std::make_shared<const PipelineTokenizer>(assemble(std::move(loaded), config));
}

} // namespace attn
