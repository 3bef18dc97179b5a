// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "text/files/languages.h"
#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/sentence_piece.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

std::vector<Merge> readMergesText(const fs::path& path)
{
    std::vector<Merge> merges;
    int number = 0;
    for (const std::string& line : readTextLines(path)) {
        ++number;
        if (line.empty() || line.starts_with("#version"))
            continue;
        auto merge = mergeIn(line);
        if (!merge)
            throw Error(ErrorKind::Format, path.string(),
                        fmt::format("line {} is not two pieces with a blank between", number));
        merges.push_back(std::move(*merge));
    }
    return merges;
}

// Without merges all text would become single characters. Special tokens are made by none, nor is what is spelled like
// one.
void requireMerges(const std::vector<Merge>& merges, const Vocabulary& vocabulary,
                   const std::vector<AddedToken>& tokens, const fs::path& path)
{
    if (!merges.empty())
        return;
    std::set<std::string_view> special;
    for (const AddedToken& token : tokens)
        special.insert(token.content);
    const auto isMerged = [&](const std::string& piece) {
        std::size_t first = 0;
        if (!piece.empty())
            nextCodePoint(piece, first);
        const bool isBracketed =
            (piece.starts_with('<') && piece.ends_with('>')) || (piece.starts_with('[') && piece.ends_with(']'));
        return first < piece.size() && !isBracketed && !special.contains(piece);
    };
    const auto found = std::ranges::find_if(vocabulary.pieces(), isMerged);
    if (found != vocabulary.pieces().end())
        throw Error(ErrorKind::Format, path.string(),
                    fmt::format("holds no merges, but \"{}\" of vocab.json is made by one", *found),
                    "it is empty or cut off: it should hold two pieces a line; get the file again");
}

// The added tokens of the configuration, and the named tokens of the vocabulary as special ones.
std::vector<AddedToken> specialVocabularyTokens(const TokenizerConfig& config, const NamedSpellings& named,
                                                const Vocabulary& vocabulary, bool maskTakesSpace)
{
    std::vector<AddedToken> tokens = config.added();
    for (const auto member : NamedSpellings::members()) {
        const std::string& spelling = named.*member;
        const auto id = vocabulary.find(spelling);
        const bool isKnown = std::ranges::any_of(
            tokens, [&](const AddedToken& token) { return token.content == spelling || token.id == id; });
        if (id && !isKnown)
            tokens.push_back({.id = *id,
                              .content = spelling,
                              .special = true,
                              .leftStrip = maskTakesSpace && spelling == named.mask});
    }
    return tokens;
}

TokenId requireToken(std::optional<TokenId> id, const char* name, const fs::path& path)
{
    if (!id)
        throw Error(ErrorKind::Format, path.string(), fmt::format("lacks the {} token", name));
    return *id;
}

enum class ByteLevelKind : std::uint8_t { Gpt2, Roberta, Qwen2, Clip };

// Lowered words, numbers digit by digit and runs of other signs; blanks are left out.
void addClipSteps(PipelineTokenizer::Parts& parts, const std::string& where)
{
    constexpr auto words = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";
    const Json blanks{{"type", "Replace"}, {"pattern", {{"Regex", R"(\s+)"}}}, {"content", " "}};
    parts.normalizer = readNormalizer(
        {Json{{"type", "Sequence"},
              {"normalizers", Json::array({Json{{"type", "NFC"}}, blanks, Json{{"type", "Lowercase"}}})}},
         where});
    const Json split{{"type", "Split"}, {"pattern", {{"Regex", words}}}, {"behavior", "Removed"}, {"invert", true}};
    const Json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}};
    parts.preTokenizer =
        readPreTokenizer({Json{{"type", "Sequence"}, {"pretokenizers", Json::array({split, bytes})}}, where});
    parts.decoder = readTokenDecoder({Json{{"type", "BPEDecoder"}, {"suffix", "</w>"}}, where});
}

std::shared_ptr<const PipelineTokenizer> loadByteLevelBpe(const TokenizerConfig& config, ByteLevelKind kind)
{
    const fs::path path = config.file("vocab.json");
    const bool isRoberta = kind == ByteLevelKind::Roberta;
    const bool isClip = kind == ByteLevelKind::Clip;
    const std::string clipEnd = "<|endoftext|>";
    const NamedSpellings usual = isClip ? NamedSpellings{"<|startoftext|>", clipEnd, {}, {}, {}, clipEnd, clipEnd}
        : isRoberta                     ? NamedSpellings{"<s>", "</s>", "</s>", "<s>", "<mask>", "<pad>", "<unk>"}
                                        : NamedSpellings{{}, "<|endoftext|>", {}, {}, {}, {}, {}};
    NamedSpellings named = withDefaults(config.named(), usual);
    if (kind == ByteLevelKind::Gpt2 && named.bos.empty())
        named.bos = named.eos;

    PipelineTokenizer::Parts parts;
    parts.isByteLevel = true;
    parts.decoder = readTokenDecoder({Json{{"type", "ByteLevel"}}, path.string()});
    const SharedVocabulary vocabulary = Vocabulary::fromJson(JsonObject(path), Vocabulary::Ids::WithGaps);
    std::vector<AddedToken> tokens = specialVocabularyTokens(config, named, *vocabulary, isRoberta);
    const fs::path mergesPath = config.file("merges.txt");
    const std::vector<Merge> merges = readMergesText(mergesPath);
    requireMerges(merges, *vocabulary, tokens, mergesPath);
    parts.model =
        bpeModel(vocabulary, merges, {.wordEnd = isClip ? "</w>" : "", .name = "byte-level BPE"}, mergesPath.string());
    if (isClip) {
        addClipSteps(parts, path.string());
    } else if (kind == ByteLevelKind::Qwen2) {
        parts.normalizer = readNormalizer({Json{{"type", "NFC"}}, path.string()});
        parts.preTokenizer = byteLevelWords({std::string(qwen2Words)});
    } else {
        const Json bytes{{"type", "ByteLevel"}, {"add_prefix_space", config.flag("add_prefix_space", false)}};
        parts.preTokenizer = readPreTokenizer({bytes, path.string()});
    }
    addTokens(parts, std::move(tokens), named, path.string());
    if (isRoberta)
        parts.processor = robertaProcessor(requireToken(parts.named.cls, "<s>", path),
                                           requireToken(parts.named.sep, "</s>", path), true);
    else if (isClip)
        parts.processor =
            surroundedBy({requireToken(parts.named.bos, "bos", path)}, {requireToken(parts.named.eos, "eos", path)});
    else if (config.flag("add_bos_token", false))
        parts.processor = surroundedBy({requireToken(parts.named.bos, "bos", path)}, {});
    parts.origin = "vocab.json, merges.txt";
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace

void addTokens(PipelineTokenizer::Parts& parts, std::vector<AddedToken> tokens, const NamedSpellings& named,
               const std::string& where)
{
    parts.added = AddedTokens(std::move(tokens), parts.normalizer, where);
    parts.named = named.mapped<std::optional<TokenId>>([&](const std::string& spelling) {
        const AddedToken* token = spelling.empty() ? nullptr : parts.added.find(spelling);
        return token == nullptr ? std::nullopt : std::optional(token->id);
    });
}

std::shared_ptr<const PipelineTokenizer> loadBertVocabulary(const TokenizerConfig& config)
{
    const fs::path path = config.file("vocab.txt");
    const NamedSpellings named = withDefaults(config.named(), {{}, {}, "[SEP]", "[CLS]", "[MASK]", "[PAD]", "[UNK]"});
    const bool lowercases = config.flag("do_lower_case", true);
    const Json basic{{"type", "BertNormalizer"},
                     {"lowercase", lowercases},
                     {"handle_chinese_chars", config.flag("tokenize_chinese_chars", true)},
                     {"strip_accents", config.flag("strip_accents", lowercases)}};
    PipelineTokenizer::Parts parts;
    parts.normalizer = readNormalizer({basic, path.string()});
    parts.preTokenizer = readPreTokenizer({Json{{"type", "BertPreTokenizer"}}, path.string()});
    parts.decoder = readTokenDecoder({Json{{"type", "WordPiece"}}, path.string()});
    const SharedVocabulary pieces = Vocabulary::fromLines(path, Vocabulary::Equal::Last);
    requireWhole(config, *pieces, "vocab_size", path);
    parts.model = wordPieceModel(pieces, {.unknown = named.unk}, path.string());
    addTokens(parts, specialVocabularyTokens(config, named, parts.model->vocabulary(), false), named, path.string());
    parts.processor =
        bertProcessor(requireToken(parts.named.cls, "[CLS]", path), requireToken(parts.named.sep, "[SEP]", path));
    parts.origin = "vocab.txt";
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const PipelineTokenizer> loadGpt2Bpe(const TokenizerConfig& config)
{
    return loadByteLevelBpe(config, ByteLevelKind::Gpt2);
}

std::shared_ptr<const PipelineTokenizer> loadRobertaBpe(const TokenizerConfig& config)
{
    return loadByteLevelBpe(config, ByteLevelKind::Roberta);
}

std::shared_ptr<const PipelineTokenizer> loadClipBpe(const TokenizerConfig& config)
{
    return loadByteLevelBpe(config, ByteLevelKind::Clip);
}

std::shared_ptr<const PipelineTokenizer> loadQwen2Bpe(const TokenizerConfig& config)
{
    return loadByteLevelBpe(config, ByteLevelKind::Qwen2);
}

// ByT5's (Xue et al. 2022): the text's bytes are its tokens.
std::shared_ptr<const PipelineTokenizer> loadByT5Bytes(const TokenizerConfig& config)
{
    constexpr int usualSentinels = 125;
    constexpr int mostSentinels = 10000;
    const std::string where = config.directory().string();
    const NamedSpellings named = withDefaults(config.named(), {{}, "</s>", {}, {}, {}, "<pad>", "<unk>"});
    std::vector<std::string> pieces{named.pad, named.eos, named.unk};
    for (int byte = 0; byte < 256; ++byte)
        pieces.push_back(fmt::format("<0x{:02X}>", byte));
    std::vector<AddedToken> special;
    for (TokenId id = 0; id < 3; ++id)
        special.push_back({.id = id, .content = pieces[id], .special = true});
    const int sentinels = config.integer("extra_ids", 0, mostSentinels, usualSentinels);
    for (TokenId i = 0; i < sentinels; ++i)
        special.push_back({.id = indexSize(pieces) + i, .content = fmt::format("<extra_id_{}>", i), .special = true});

    PipelineTokenizer::Parts parts;
    const Json words{{"type", "Split"},
                     {"pattern", {{"Regex", R"( ?\S+|\s+(?!\S)|\s+)"}}},
                     {"behavior", "Isolated"},
                     {"invert", false}};
    parts.preTokenizer = readPreTokenizer({words, where});
    parts.decoder = readTokenDecoder({Json{{"type", "ByteFallback"}}, where});
    parts.model = bpeModel(std::make_shared<const Vocabulary>(std::move(pieces)), {},
                           {.byteFallback = true, .name = "bytes"}, where);
    addTokens(parts, withMissing(config.added(), special), named, where);
    if (parts.named.eos)
        parts.processor = surroundedBy({}, {*parts.named.eos});
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

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
