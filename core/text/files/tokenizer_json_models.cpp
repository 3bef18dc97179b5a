// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "io/json.h"
#include "text/files/tokenizer_json.h"
#include "text/segment/bpe.h"
#include "text/segment/unigram.h"
#include "text/segment/word_piece.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

constexpr TokenId largestModelId = std::numeric_limits<TokenId>::max();

Vocabulary readVocabulary(const JsonObject& spec)
{
    const JsonObject object = spec.requireObject("vocab");
    std::vector<std::pair<std::string, TokenId>> pieces;
    pieces.reserve(object.json().size());
    for (auto entry = object.json().begin(); entry != object.json().end(); ++entry) {
        const auto id = indexIn(entry.value(), largestModelId);
        if (!id)
            object.refuse(entry.key(), "an id");
        pieces.emplace_back(entry.key(), *id);
    }
    return {pieces, object.place()};
}

// "a b" or ["a", "b"].
std::vector<Bpe::Merge> readJsonMerges(const JsonObject& spec)
{
    const Json& list = spec.requireList("merges");
    std::vector<Bpe::Merge> merges;
    merges.reserve(list.size());
    for (const Json& merge : list) {
        if (merge.is_string()) {
            const auto& text = merge.get_ref<const std::string&>();
            const std::size_t blank = text.find(' ');
            if (blank != std::string::npos && text.find(' ', blank + 1) == std::string::npos) {
                merges.emplace_back(text.substr(0, blank), text.substr(blank + 1));
                continue;
            }
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
            continue;
        }
        throw Error(ErrorKind::Format, spec.place(),
                    fmt::format("merge {} is not two pieces with a blank between", merges.size()));
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
    options.fuseUnknown = spec.boolOr("fuse_unk", false);
    options.byteFallback = spec.boolOr("byte_fallback", false);
    options.ignoreMerges = spec.boolOr("ignore_merges", false);
    options.name = isByteLevel ? "byte-level BPE" : options.byteFallback ? "BPE with byte fallback" : "BPE";
    return std::make_shared<const Bpe>(readVocabulary(spec), readJsonMerges(spec), std::move(options), spec.place());
}

std::shared_ptr<const SubwordModel> readWordPiece(const JsonObject& spec)
{
    WordPieceOptions options;
    options.unknown = spec.stringOr("unk_token", options.unknown);
    options.continuation = spec.stringOr("continuing_subword_prefix", options.continuation);
    if (spec.has("max_input_chars_per_word"))
        options.longestWord = spec.requireInt("max_input_chars_per_word", 0, largestModelId);
    return std::make_shared<const WordPiece>(readVocabulary(spec), std::move(options), spec.place());
}

std::shared_ptr<const SubwordModel> readUnigram(const JsonObject& spec)
{
    const Json& list = spec.requireList("vocab", "a list of pieces and scores");
    if (list.empty())
        spec.refuse("vocab", "a list of pieces and scores");
    std::vector<Unigram::Scored> pieces;
    pieces.reserve(list.size());
    for (const Json& entry : list) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
            throw Error(ErrorKind::Format, spec.place(),
                        fmt::format("vocab: entry {} is not a piece and its score", pieces.size()));
        pieces.emplace_back(entry[0].get<std::string>(), entry[1].get<double>());
    }
    std::optional<TokenId> unknown;
    if (spec.has("unk_id"))
        unknown = spec.requireInt("unk_id", 0, indexSize(pieces) - 1);
    return std::make_shared<const Unigram>(pieces, unknown, spec.boolOr("byte_fallback", false), spec.place());
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
    if (type == "WordLevel")
        return std::make_shared<const WordLookup>(readVocabulary(spec), spec.stringOr("unk_token", "<unk>"),
                                                  spec.place());
    refuseStep(spec, "model", type);
}

} // namespace attn
