// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/vocabulary_tokenizers.h"

#include "base/error.h"
#include "io/mapped_file.h"
#include "text/segment/bpe.h"
#include "text/segment/pipeline_segmenter.h"
#include "text/segment/word_piece.h"
#include "text/unicode/unicode.h"
#include "text/unicode/word_expressions.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

Vocabulary readVocabularyJson(const fs::path& path)
{
    const JsonObject object(path);
    std::vector<std::pair<std::string, TokenId>> pieces;
    pieces.reserve(object.json().size());
    for (auto entry = object.json().begin(); entry != object.json().end(); ++entry)
        pieces.emplace_back(entry.key(), object.requireInt(entry.key(), 0, std::numeric_limits<TokenId>::max()));
    if (pieces.empty())
        throw Error(ErrorKind::Format, path.string(), "is empty");
    return {pieces, path.string()};
}

std::vector<Bpe::Merge> readMergesText(const fs::path& path)
{
    const MappedFile file(path);
    std::string_view rest = file.text();
    if (const std::size_t valid = validUtf8Prefix(rest); valid != rest.size())
        throw Error(ErrorKind::Format, path.string(), fmt::format("is not UTF-8 (byte {})", valid));
    std::vector<Bpe::Merge> merges;
    for (int number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || line.starts_with("#version"))
            continue;
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
            throw Error(ErrorKind::Format, path.string(),
                        fmt::format("line {} is not two pieces with a blank between", number));
        merges.emplace_back(line.substr(0, blank), line.substr(blank + 1));
    }
    return merges;
}

// The configured spellings, with the usual ones where there are none.
NamedSpellings withDefaults(NamedSpellings named, const NamedSpellings& usual)
{
    const auto fill = [&](std::string NamedSpellings::*field) {
        if ((named.*field).empty())
            named.*field = usual.*field;
    };
    for (auto field : {&NamedSpellings::bos, &NamedSpellings::eos, &NamedSpellings::sep, &NamedSpellings::cls,
                       &NamedSpellings::mask, &NamedSpellings::pad, &NamedSpellings::unk})
        fill(field);
    return named;
}

// The added tokens of the configuration, and the named tokens of the vocabulary as special ones.
std::vector<AddedToken> specialVocabularyTokens(const TokenizerConfig& config, const NamedSpellings& named,
                                                const Vocabulary& vocabulary, bool maskTakesSpace)
{
    std::vector<AddedToken> tokens = config.added();
    for (const std::string& spelling : {named.bos, named.eos, named.sep, named.cls, named.mask, named.pad, named.unk}) {
        const auto id = vocabulary.find(spelling);
        const bool isKnown = std::ranges::any_of(
            tokens, [&](const AddedToken& token) { return token.content == spelling || (id && token.id == *id); });
        if (!id || isKnown)
            continue;
        AddedToken token{*id, spelling, true, false, false, false, false};
        token.leftStrip = maskTakesSpace && spelling == named.mask;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

TokenId requireToken(const NamedTokens& named, std::optional<TokenId> NamedTokens::*field, const char* name,
                     const fs::path& path)
{
    if (!(named.*field))
        throw Error(ErrorKind::Format, path.string(), fmt::format("lacks the {} token", name));
    return *(named.*field);
}

} // namespace

NamedTokens namedTokens(const NamedSpellings& spellings, const AddedTokens& tokens)
{
    const auto id = [&](const std::string& spelling) -> std::optional<TokenId> {
        const AddedToken* token = spelling.empty() ? nullptr : tokens.find(spelling);
        return token == nullptr ? std::nullopt : std::optional(token->id);
    };
    return {id(spellings.bos),  id(spellings.eos), id(spellings.sep), id(spellings.cls),
            id(spellings.mask), id(spellings.pad), id(spellings.unk)};
}

std::shared_ptr<const PipelineTokenizer> loadBertVocabulary(const TokenizerConfig& config)
{
    const fs::path path = config.file("vocab.txt");
    const NamedSpellings named = withDefaults(config.named(), {{}, {}, "[SEP]", "[CLS]", "[MASK]", "[PAD]", "[UNK]"});
    WordPieceOptions options;
    options.unknown = named.unk;
    const auto model = std::make_shared<const WordPiece>(Vocabulary::fromLines(path, Vocabulary::Equal::Last),
                                                         std::move(options), path.string());

    BertNormalization normalization;
    normalization.lowercase = config.flag("do_lower_case", true);
    normalization.separateChinese = config.flag("tokenize_chinese_chars", true);
    normalization.stripAccents = config.flag("strip_accents").value_or(normalization.lowercase);
    PipelineSegmenter::Steps steps;
    steps.normalizer = bertNormalizer(normalization);
    steps.preTokenizer = bertPreTokenizer();
    steps.decoder = wordPieceDecoder("##", true);
    steps.model = model;

    PipelineTokenizer::Parts parts;
    parts.added = AddedTokens(specialVocabularyTokens(config, named, model->vocabulary(), false), steps.normalizer,
                              path.string());
    steps.added = parts.added;
    parts.named = namedTokens(named, parts.added);
    parts.processor = bertProcessor(requireToken(parts.named, &NamedTokens::cls, "[CLS]", path),
                                    requireToken(parts.named, &NamedTokens::sep, "[SEP]", path));
    parts.origin = "vocab.txt";
    parts.segmenter = std::make_shared<const PipelineSegmenter>(std::move(steps));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::shared_ptr<const PipelineTokenizer> loadByteLevelBpe(const TokenizerConfig& config, ByteLevelKind kind)
{
    const fs::path path = config.file("vocab.json");
    const bool isRoberta = kind == ByteLevelKind::Roberta;
    const NamedSpellings usual = isRoberta ? NamedSpellings{"<s>", "</s>", "</s>", "<s>", "<mask>", "<pad>", "<unk>"}
                                           : NamedSpellings{{}, "<|endoftext|>", {}, {}, {}, {}, {}};
    NamedSpellings named = withDefaults(config.named(), usual);
    if (kind == ByteLevelKind::Gpt2 && named.bos.empty())
        named.bos = named.eos;
    BpeOptions options;
    options.name = "byte-level BPE";
    const auto model = std::make_shared<const Bpe>(readVocabularyJson(path), readMergesText(config.file("merges.txt")),
                                                   std::move(options), path.string());

    PipelineSegmenter::Steps steps;
    steps.isByteLevel = true;
    steps.decoder = byteLevelDecoder();
    steps.model = model;
    if (kind == ByteLevelKind::Qwen2) {
        steps.normalizer = unicodeNormalizer(UnicodeForm::NFC);
        steps.preTokenizer =
            preTokenizerSequence({splitPreTokenizer(Regex(qwen2Words, "Qwen2"), SplitBehavior::Isolated, false),
                                  byteLevelPreTokenizer({false, false})});
    } else {
        steps.preTokenizer = byteLevelPreTokenizer({config.flag("add_prefix_space", false), true});
    }

    PipelineTokenizer::Parts parts;
    parts.added = AddedTokens(specialVocabularyTokens(config, named, model->vocabulary(), isRoberta), steps.normalizer,
                              path.string());
    steps.added = parts.added;
    parts.named = namedTokens(named, parts.added);
    if (isRoberta)
        parts.processor = robertaProcessor(requireToken(parts.named, &NamedTokens::cls, "<s>", path),
                                           requireToken(parts.named, &NamedTokens::sep, "</s>", path), true);
    else if (config.flag("add_bos_token", false))
        parts.processor = surroundedBy({requireToken(parts.named, &NamedTokens::bos, "bos", path)}, {});
    parts.origin = "vocab.json, merges.txt";
    parts.segmenter = std::make_shared<const PipelineSegmenter>(std::move(steps));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace attn
