// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_json.h"

#include "base/error.h"
#include "base/index.h"
#include "text/segment/prefix_index.h"
#include "text/steps/steps.h"
#include "text/unicode/regex.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <utility>

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

namespace {

constexpr TokenId largestId = std::numeric_limits<TokenId>::max();

// Whether a part of the file, or a step of its sequence, is of a type.
bool hasStep(const Json& part, std::string_view type)
{
    if (part.is_array())
        return std::ranges::any_of(part, [&](const Json& step) { return hasStep(step, type); });
    if (!part.is_object())
        return false;
    const auto found = part.find("type");
    if (found != part.end() && *found == Json(type))
        return true;
    return std::ranges::any_of(part, [&](const Json& field) { return field.is_array() && hasStep(field, type); });
}

std::vector<AddedToken> readAddedTokens(const JsonObject& document)
{
    std::vector<AddedToken> tokens;
    if (!document.has("added_tokens"))
        return tokens;
    for (const JsonObject& entry : document.requireObjects("added_tokens", largestId))
        tokens.push_back(readAddedToken(entry, entry.requireInt("id", 0, largestId)));
    return tokens;
}

std::vector<AddedToken> fittingTo(const Vocabulary& vocabulary, std::vector<AddedToken> tokens)
{
    std::erase_if(tokens, [&](const AddedToken& token) {
        const bool isTaken = vocabulary.contains(token.id) && vocabulary.piece(token.id) != token.content;
        return isTaken || vocabulary.find(token.content).value_or(token.id) != token.id;
    });
    return tokens;
}

void checkAgainstVocabulary(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
                            const std::string& where)
{
    for (const AddedToken& token : tokens)
        if (vocabulary.contains(token.id) && vocabulary.piece(token.id) != token.content)
            throw Error(ErrorKind::Format, where,
                        fmt::format(R"(adds the token "{}" with the id {}, which is "{}" in the vocabulary)",
                                    token.content, token.id, vocabulary.piece(token.id)));
}

// ["[SEP]", 102]
TokenId readTokenAndId(const JsonObject& spec, std::string_view field)
{
    const Json* const value = spec.find(field);
    const Json* const number = value != nullptr ? besideText(*value) : nullptr;
    const auto id = number != nullptr ? indexIn(*number, largestId) : std::nullopt;
    if (!id)
        spec.refuse(field, "a token and its id");
    return *id;
}

std::vector<TokenId> readTemplateIds(const JsonObject& spec, const std::string& name)
{
    const JsonObject token = spec.requireObject("special_tokens").requireObject(name);
    std::vector<TokenId> ids;
    const Json& list = token.requireList("ids", "a list of ids");
    if (list.size() > mostSteps)
        token.refuse("ids", fmt::format("a list of at most {} ids", mostSteps));
    for (const Json& value : list) {
        const auto id = indexIn(value, largestId);
        if (!id)
            token.refuse("ids", "a list of ids");
        ids.push_back(*id);
    }
    return ids;
}

Template readTemplate(const JsonObject& spec, std::string_view field)
{
    Template parts;
    for (const JsonObject& entry : spec.requireObjects(field, mostSteps)) {
        const bool isText = entry.has("Sequence");
        if (!isText && !entry.has("SpecialToken"))
            entry.refuse("Sequence", "Sequence or SpecialToken");
        const JsonObject content = entry.requireObject(isText ? "Sequence" : "SpecialToken");
        TemplatePart part;
        part.segment = content.requireInt("type_id", 0, 1);
        const std::string id = content.requireString("id");
        if (!isText) {
            part.kind = TemplatePart::Kind::Special;
            part.ids = readTemplateIds(spec, id);
        } else if (id == "A" || id == "B") {
            part.kind = id == "A" ? TemplatePart::Kind::First : TemplatePart::Kind::Second;
        } else {
            refuseStep(content, "sequence", id);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void readPostProcessor(const JsonObject& spec, PostProcessor& processor)
{
    const std::string type = spec.requireString("type");
    const bool trimmed = processor.trimsSpans;
    if (type == "Sequence") {
        for (const JsonObject& step : spec.requireObjects("processors", mostSteps))
            readPostProcessor(step, processor);
    } else if (type == "TemplateProcessing") {
        processor.single = readTemplate(spec, "single");
        if (spec.has("pair"))
            processor.pair = readTemplate(spec, "pair");
    } else if (type == "BertProcessing") {
        processor = bertProcessor(readTokenAndId(spec, "cls"), readTokenAndId(spec, "sep"));
        processor.trimsSpans = trimmed;
    } else if (type == "RobertaProcessing") {
        processor = robertaProcessor(readTokenAndId(spec, "cls"), readTokenAndId(spec, "sep"),
                                     trimmed || spec.boolOr("trim_offsets", true));
    } else if (type == "ByteLevel") {
        processor.trimsSpans = trimmed || spec.boolOr("trim_offsets", true);
    } else {
        refuseStep(spec, "post-processor", type);
    }
}

void requireKnownIds(const Template& parts, const AddedTokens& added, const Vocabulary& vocabulary,
                     const std::string& where)
{
    for (const TemplatePart& part : parts)
        for (const TokenId id : part.ids)
            if (added.find(id) == nullptr && !vocabulary.contains(id))
                throw Error(ErrorKind::Format, where,
                            fmt::format("the post-processor adds the id {}, which no token has", id));
}

// A configured spelling may be any piece; the usual ones are special added tokens.
NamedTokens findNamed(const NamedSpellings& configured, const AddedTokens& added, const Vocabulary& vocabulary)
{
    static const Named<std::vector<std::string>> usual{{"<s>", "<|begin_of_text|>", "<|endoftext|>"},
                                                       {"</s>", "<|end_of_text|>", "<|endoftext|>"},
                                                       {"[SEP]"},
                                                       {"[CLS]"},
                                                       {"[MASK]", "<mask>"},
                                                       {"[PAD]", "<pad>"},
                                                       {"[UNK]", "<unk>"}};
    const auto present = usual.mapped<std::string>([&](const std::vector<std::string>& spellings) {
        const auto found = std::ranges::find_if(spellings, [&](const std::string& spelling) {
            const AddedToken* token = added.find(spelling);
            return token != nullptr && token->special;
        });
        return found == spellings.end() ? std::string() : *found;
    });
    return withDefaults(configured, present)
        .mapped<std::optional<TokenId>>([&](const std::string& spelling) -> std::optional<TokenId> {
            const AddedToken* token = added.find(spelling);
            if (spelling.empty() || token == nullptr)
                return spelling.empty() ? std::nullopt : vocabulary.find(spelling);
            return token->id;
        });
}

} // namespace

NamedSpellings withDefaults(NamedSpellings named, const NamedSpellings& usual)
{
    for (const auto member : NamedSpellings::members())
        if ((named.*member).empty())
            named.*member = usual.*member;
    return named;
}

AddedToken readAddedToken(const JsonObject& entry, TokenId id)
{
    AddedToken token;
    token.id = id;
    token.content = entry.requireString("content");
    token.special = entry.boolOr("special", false);
    token.singleWord = entry.boolOr("single_word", false);
    token.leftStrip = entry.boolOr("lstrip", false);
    token.rightStrip = entry.boolOr("rstrip", false);
    token.normalized = entry.boolOr("normalized", !token.special);
    return token;
}

std::shared_ptr<const PipelineTokenizer> buildTokenizerJson(Json json, const std::string& where,
                                                            const NamedSpellings& named,
                                                            const std::vector<AddedToken>& more)
{
    const JsonObject document(std::move(json), where);
    const RegexBudget budget;
    const auto contains = [&](std::string_view part, std::string_view type) {
        return document.has(part) && hasStep(*document.find(part), type);
    };
    PipelineTokenizer::Parts parts;
    parts.isByteLevel = contains("pre_tokenizer", "ByteLevel") || contains("normalizer", "ByteLevel");
    if (document.has("normalizer"))
        parts.normalizer = readNormalizer(document.requireObject("normalizer"));
    if (document.has("pre_tokenizer"))
        parts.preTokenizer = readPreTokenizer(document.requireObject("pre_tokenizer"));
    parts.decoder = document.has("decoder") ? readTokenDecoder(document.requireObject("decoder")) : spaceDecoder();
    parts.model = readSubwordModel(document.requireObject("model"), parts.isByteLevel);

    const Vocabulary& vocabulary = parts.model->vocabulary();
    std::vector<AddedToken> tokens = readAddedTokens(document);
    checkAgainstVocabulary(tokens, vocabulary, where);
    parts.added = AddedTokens(withMissing(std::move(tokens), fittingTo(vocabulary, more)), parts.normalizer, where);
    if (document.has("post_processor"))
        readPostProcessor(document.requireObject("post_processor"), parts.processor);
    for (const Template* layout : {&parts.processor.single, &parts.processor.pair})
        requireKnownIds(*layout, parts.added, vocabulary, where);
    parts.named = findNamed(named, parts.added, vocabulary);
    parts.origin = std::filesystem::path(where).filename().string();
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace attn
