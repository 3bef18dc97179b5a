// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "text/files/tokenizer_json.h"
#include "text/json_spec.h"
#include "text/segment/bpe.h"
#include "text/segment/unigram.h"
#include "text/segment/word_piece.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

constexpr std::int64_t largestModelId = std::numeric_limits<TokenId>::max();

Vocabulary readVocabulary(const JsonSpec& spec)
{
    const JsonSpec object = spec.object("vocab");
    std::vector<std::pair<std::string, TokenId>> pieces;
    pieces.reserve(object.json().size());
    for (auto entry = object.json().begin(); entry != object.json().end(); ++entry) {
        const Json& id = entry.value();
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > largestModelId)
            object.refuse(entry.key(), "an id");
        pieces.emplace_back(entry.key(), id.get<TokenId>());
    }
    return {pieces, object.where()};
}

// "a b" or ["a", "b"].
std::vector<Bpe::Merge> readJsonMerges(const JsonSpec& spec)
{
    const Json& list = spec.require("merges");
    if (!list.is_array())
        spec.refuse("merges", "a list");
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
        throw Error(ErrorKind::Format, spec.where(),
                    fmt::format("merge {} is not two pieces with a blank between", merges.size()));
    }
    return merges;
}

std::shared_ptr<const SubwordModel> readBpe(const JsonSpec& spec, bool isByteLevel)
{
    BpeOptions options;
    if (spec.has("unk_token"))
        options.unknown = spec.text("unk_token");
    options.continuation = spec.textOr("continuing_subword_prefix", {});
    options.wordEnd = spec.textOr("end_of_word_suffix", {});
    options.fuseUnknown = spec.flag("fuse_unk", false);
    options.byteFallback = spec.flag("byte_fallback", false);
    options.ignoreMerges = spec.flag("ignore_merges", false);
    options.name = isByteLevel ? "byte-level BPE" : options.byteFallback ? "BPE with byte fallback" : "BPE";
    return std::make_shared<const Bpe>(readVocabulary(spec), readJsonMerges(spec), std::move(options), spec.where());
}

std::shared_ptr<const SubwordModel> readWordPiece(const JsonSpec& spec)
{
    WordPieceOptions options;
    options.unknown = spec.textOr("unk_token", options.unknown);
    options.continuation = spec.textOr("continuing_subword_prefix", options.continuation);
    if (spec.has("max_input_chars_per_word"))
        options.longestWord = static_cast<std::size_t>(spec.integer("max_input_chars_per_word", 0, largestModelId));
    return std::make_shared<const WordPiece>(readVocabulary(spec), std::move(options), spec.where());
}

std::shared_ptr<const SubwordModel> readUnigram(const JsonSpec& spec)
{
    const Json& list = spec.require("vocab");
    if (!list.is_array() || list.empty())
        spec.refuse("vocab", "a list of pieces and scores");
    std::vector<Unigram::Scored> pieces;
    pieces.reserve(list.size());
    for (const Json& entry : list) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
            throw Error(ErrorKind::Format, spec.where(),
                        fmt::format("vocab: entry {} is not a piece and its score", pieces.size()));
        pieces.emplace_back(entry[0].get<std::string>(), entry[1].get<double>());
    }
    std::optional<TokenId> unknown;
    if (spec.has("unk_id"))
        unknown = static_cast<TokenId>(spec.integer("unk_id", 0, static_cast<std::int64_t>(pieces.size()) - 1));
    return std::make_shared<const Unigram>(pieces, unknown, spec.flag("byte_fallback", false), spec.where());
}

// Older files do not name the model's type.
std::string typeOf(const JsonSpec& spec)
{
    if (spec.has("type"))
        return spec.text("type");
    if (spec.has("merges"))
        return "BPE";
    if (spec.require("vocab").is_array())
        return "Unigram";
    return spec.has("max_input_chars_per_word") || spec.has("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

} // namespace

std::shared_ptr<const SubwordModel> readSubwordModel(const JsonSpec& spec, bool isByteLevel)
{
    const std::string type = typeOf(spec);
    if (type == "BPE")
        return readBpe(spec, isByteLevel);
    if (type == "WordPiece")
        return readWordPiece(spec);
    if (type == "Unigram")
        return readUnigram(spec);
    if (type == "WordLevel")
        return std::make_shared<const WordLookup>(readVocabulary(spec), spec.textOr("unk_token", "<unk>"),
                                                  spec.where());
    spec.unsupported("model", type);
}

} // namespace attn
