// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/gguf_tokenizer.h"

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "io/gguf.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/bpe.h"
#include "text/segment/pipeline_segmenter.h"
#include "text/segment/scored_bpe.h"
#include "text/segment/word_piece.h"
#include "text/unicode/word_expressions.h"
#include "text/words.h"

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
    NamedTokens named;
    named.bos = readId(file, "bos_token_id", pieces);
    named.eos = readId(file, "eos_token_id", pieces);
    named.sep = readId(file, "separator_token_id", pieces);
    if (!named.sep)
        named.sep = readId(file, "seperator_token_id", pieces); // so spelled in older files
    named.cls = readId(file, "cls_token_id", pieces);
    named.mask = readId(file, "mask_token_id", pieces);
    named.pad = readId(file, "padding_token_id", pieces);
    named.unk = readId(file, "unknown_token_id", pieces);
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
        const auto id = i;
        const std::int64_t type = types ? (*types)[i] : 0;
        const bool isNamed = id == named.bos || id == named.eos || id == named.sep || id == named.cls
            || id == named.mask || id == named.pad || id == named.unk;
        if (!isNamed && type != unknownType && type != controlType && type != userDefinedType)
            continue;
        AddedToken token;
        token.id = id;
        token.content = pieces[i];
        token.special = type != userDefinedType;
        added.push_back(std::move(token));
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

struct Read
{
    PipelineSegmenter::Steps steps;
    PostProcessor processor;
};

Read readLlama(const GgufFile& file, const std::vector<std::string>& pieces, const NamedTokens& named)
{
    Read read;
    const std::string mark(wordStartMark);
    std::vector<Normalizer> steps;
    if (file.boolean(key("add_space_prefix")).value_or(true))
        steps.push_back(prependNormalizer(mark));
    steps.push_back(replaceNormalizer(Regex::literal(" "), mark));
    read.steps.normalizer = normalizerSequence(std::move(steps));
    read.steps.decoder = decoderSequence(
        {replaceDecoder(Regex::literal(mark), " "), byteFallbackDecoder(), stripDecoder({" ", 1, 0, true})});
    const auto scores = file.numbers(key("scores"));
    if (!scores)
        file.refuse(key("scores"), "is missing");
    read.steps.model = std::make_shared<const ScoredBpe>(Vocabulary(pieces), *scores, named.unk, file.where());
    read.processor = surrounding(file, named, true);
    return read;
}

PreTokenizer readWords(const GgufFile& file, bool& isLlama3)
{
    const std::string name = file.text(key("pre")).value_or("gpt-2");
    isLlama3 = name == "llama-bpe" || name == "llama3" || name == "llama-v3";
    const char* words = nullptr;
    if (isLlama3)
        words = llama3Words;
    else if (name == "qwen2")
        words = qwen2Words;
    else if (name == "gpt-2" || name == "phi-2")
        words = gpt2Words;
    else
        throw Error(ErrorKind::Unsupported, file.where(), fmt::format("the pre-tokenizer \"{}\" is not known", name));
    return preTokenizerSequence({splitPreTokenizer(Regex(words, file.where()), SplitBehavior::Isolated, false),
                                 byteLevelPreTokenizer({false, false})});
}

std::vector<Bpe::Merge> readMerges(const GgufFile& file)
{
    const auto lines = file.texts(key("merges"));
    if (!lines)
        file.refuse(key("merges"), "is missing");
    std::vector<Bpe::Merge> merges;
    merges.reserve(lines->size());
    for (const std::string& given : *lines) {
        const std::string line = sound(given);
        const std::size_t blank = line.find(' ', 1);
        if (blank == std::string::npos)
            file.refuse(key("merges"), fmt::format("merge {} is not two pieces", merges.size()));
        merges.emplace_back(line.substr(0, blank), line.substr(blank + 1));
    }
    return merges;
}

Read readGpt2(const GgufFile& file, const std::vector<std::string>& pieces, const NamedTokens& named)
{
    Read read;
    bool isLlama3 = false;
    read.steps.preTokenizer = readWords(file, isLlama3);
    read.steps.decoder = byteLevelDecoder();
    read.steps.isByteLevel = true;
    BpeOptions options;
    options.name = "byte-level BPE";
    options.ignoreMerges = isLlama3;
    read.steps.model =
        std::make_shared<const Bpe>(Vocabulary(pieces), readMerges(file), std::move(options), file.where());
    read.processor = surrounding(file, named, isLlama3);
    return read;
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

Read readBert(const GgufFile& file, const std::vector<std::string>& pieces, const NamedTokens& named)
{
    if (!named.unk || !named.sep || !(named.cls || named.bos))
        file.refuse(key("unknown_token_id"), "the tokenizer lacks [UNK], [SEP] or [CLS]");
    Read read;
    BertNormalization options;
    options.lowercase = std::ranges::find(pieces, std::string(wordStartMark) + "A") == pieces.end();
    options.stripAccents = options.lowercase;
    read.steps.normalizer = bertNormalizer(options);
    read.steps.preTokenizer = bertPreTokenizer();
    read.steps.decoder = wordPieceDecoder("##", true);
    WordPieceOptions model;
    model.unknown = pieces[*named.unk];
    read.steps.model = std::make_shared<const WordPiece>(Vocabulary(pieces), std::move(model), file.where());
    read.processor = bertProcessor(named.cls ? *named.cls : *named.bos, *named.sep);
    return read;
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
    const NamedTokens named = readNamed(file, pieces);
    Read read = isBert     ? readBert(file, pieces, named)
        : *kind == "llama" ? readLlama(file, pieces, named)
                           : readGpt2(file, pieces, named);
    PipelineTokenizer::Parts parts;
    parts.added = AddedTokens(readAdded(file, pieces, named), read.steps.normalizer, file.where());
    parts.named = named;
    parts.processor = std::move(read.processor);
    parts.origin = std::filesystem::path(file.where()).filename().string();
    parts.segmenter = std::make_shared<const PipelineSegmenter>(std::move(read.steps));
    const auto tokenizer = std::make_shared<const PipelineTokenizer>(std::move(parts));
    return {tokenizer, tokenizer, std::nullopt};
}

} // namespace attn
