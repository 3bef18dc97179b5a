// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/utf8.h"
#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"

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

} // namespace attn
