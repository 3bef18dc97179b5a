// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "text/files/tokenizer_json.h"
#include "text/segment/prefix_index.h"
#include "text/steps/step_spec.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

constexpr TokenId largestModelId = std::numeric_limits<TokenId>::max();

SharedVocabulary readVocabulary(const JsonObject& spec)
{
    const JsonObject pieces = spec.requireObject("vocab");
    if (pieces.json().empty()) // all of them are added tokens
        return std::make_shared<const Vocabulary>(std::vector<std::string>());
    return Vocabulary::fromJson(pieces, Vocabulary::Ids::WithGaps);
}

// "a b" or ["a", "b"].
std::vector<Merge> readJsonMerges(const JsonObject& spec)
{
    std::vector<Merge> merges;
    for (const Json& given : spec.requireList("merges")) {
        std::optional<Merge> merge;
        if (given.is_string())
            merge = mergeIn(given.get_ref<const std::string&>());
        else if (const Json* const right = besideText(given); right != nullptr && right->is_string())
            merge = Merge(given[0].get<std::string>(), right->get<std::string>());
        if (!merge)
            throw Error(ErrorKind::Format, spec.place(),
                        fmt::format("merge {} is not two pieces with a blank between", merges.size()));
        merges.push_back(std::move(*merge));
    }
    return merges;
}

std::shared_ptr<const SubwordModel> readBpe(const JsonObject& spec, bool isByteLevel)
{
    BpeOptions options;
    if (spec.has("unk_token"))
        options.unknown = spec.requireString("unk_token");
    options.continuation = spec.stringOr("continuing_subword_prefix", {});
    options.wordEnd = spec.stringOr("end_of_word_suffix", {});
    for (const std::string& mark : {options.continuation, options.wordEnd}) // looked up with every character
        PrefixIndex::requireShort(mark, spec.place());
    options.fuseUnknown = spec.boolOr("fuse_unk", false);
    options.byteFallback = spec.boolOr("byte_fallback", false);
    options.ignoreMerges = spec.boolOr("ignore_merges", false);
    options.name = isByteLevel ? "byte-level BPE" : options.byteFallback ? "BPE with byte fallback" : "BPE";
    return bpeModel(readVocabulary(spec), readJsonMerges(spec), std::move(options), spec.place());
}

std::shared_ptr<const SubwordModel> readWordPiece(const JsonObject& spec)
{
    WordPieceOptions options;
    options.unknown = spec.stringOr("unk_token", options.unknown);
    options.continuation = spec.stringOr("continuing_subword_prefix", options.continuation);
    PrefixIndex::requireShort(options.continuation, spec.place());
    if (spec.has("max_input_chars_per_word"))
        options.longestWord = spec.requireInt("max_input_chars_per_word", 0, largestModelId);
    return wordPieceModel(readVocabulary(spec), std::move(options), spec.place());
}

std::shared_ptr<const SubwordModel> readUnigram(const JsonObject& spec)
{
    const Json& list = spec.requireList("vocab", "a list of pieces and scores");
    if (list.empty())
        spec.refuse("vocab", "a list of pieces and scores");
    std::vector<std::string> texts;
    ScoredPieces pieces;
    for (const Json& entry : list) {
        const Json* const score = besideText(entry);
        if (score == nullptr || !score->is_number())
            throw Error(ErrorKind::Format, spec.place(),
                        fmt::format("vocab: entry {} is not a piece and its score", texts.size()));
        texts.push_back(entry[0].get<std::string>());
        pieces.scores.push_back(score->get<double>());
    }
    std::optional<TokenId> unknown;
    if (spec.has("unk_id"))
        unknown = spec.requireInt("unk_id", 0, indexSize(texts) - 1);
    pieces.vocabulary = std::make_shared<const Vocabulary>(std::move(texts));
    return unigramModel(std::move(pieces), {.unknown = unknown, .byteFallback = spec.boolOr("byte_fallback", false)},
                        spec.place());
}

// Older files do not name the model's type.
std::string typeOf(const JsonObject& spec)
{
    if (spec.has("type"))
        return spec.requireString("type");
    if (spec.has("merges"))
        return "BPE";
    if (const Json* vocabulary = spec.find("vocab"); vocabulary != nullptr && vocabulary->is_array())
        return "Unigram";
    return spec.has("max_input_chars_per_word") || spec.has("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

} // namespace

std::shared_ptr<const SubwordModel> readSubwordModel(const JsonObject& spec, bool isByteLevel)
{
    const std::string type = typeOf(spec);
    if (type == "BPE")
        return readBpe(spec, isByteLevel);
    if (type == "WordPiece")
        return readWordPiece(spec);
    if (type == "Unigram")
        return readUnigram(spec);
    if (type == "WordLevel") {
        const SharedVocabulary words = readVocabulary(spec);
        return wordListModel(words, words->requireUnknown(spec.stringOr("unk_token", "<unk>"), spec.place()), {});
    }
    refuseStep(spec, "model", type);
}

} // namespace attn
