// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_json.h"

#include "base/error.h"
#include "io/json.h"
#include "text/segment/pipeline_segmenter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace attn {

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
    if (found != part.end() && found->is_string() && found->get_ref<const std::string&>() == type)
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

void addMissing(std::vector<AddedToken>& tokens, const std::vector<AddedToken>& more, const Vocabulary& vocabulary)
{
    std::set<TokenId> ids;
    std::set<std::string> contents;
    for (const AddedToken& token : tokens) {
        ids.insert(token.id);
        contents.insert(token.content);
    }
    for (const AddedToken& token : more) {
        const bool isKnown = ids.contains(token.id) || contents.contains(token.content);
        const bool isTaken = vocabulary.contains(token.id) && vocabulary.piece(token.id) != token.content;
        const bool isElsewhere = vocabulary.find(token.content).value_or(token.id) != token.id;
        if (!isKnown && !isTaken && !isElsewhere)
            tokens.push_back(token);
    }
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
    const bool isPair = value != nullptr && value->is_array() && value->size() == 2 && value->front().is_string();
    const auto id = isPair ? indexIn(value->back(), largestId) : std::nullopt;
    if (!id)
        spec.refuse(field, "a token and its id");
    return *id;
}

std::vector<TokenId> readTemplateIds(const JsonObject& spec, const std::string& name)
{
    const JsonObject token = spec.requireObject("special_tokens").requireObject(name);
    std::vector<TokenId> ids;
    for (const Json& value : token.requireList("ids", "a list of ids")) {
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

NamedTokens findNamed(const NamedSpellings& named, const AddedTokens& added, const Vocabulary& vocabulary)
{
    const auto find = [&](const std::string& configured, std::initializer_list<const char*> usual) {
        const auto id = [&](const std::string& spelling) -> std::optional<TokenId> {
            const AddedToken* token = added.find(spelling);
            return token == nullptr ? vocabulary.find(spelling) : std::optional(token->id);
        };
        if (!configured.empty())
            return id(configured);
        for (const char* spelling : usual)
            if (const AddedToken* token = added.find(spelling); token != nullptr && token->special)
                return std::optional(token->id);
        return std::optional<TokenId>{};
    };
    return {find(named.bos, {"<s>", "<|begin_of_text|>", "<|endoftext|>"}),
            find(named.eos, {"</s>", "<|end_of_text|>", "<|endoftext|>"}),
            find(named.sep, {"[SEP]"}),
            find(named.cls, {"[CLS]"}),
            find(named.mask, {"[MASK]", "<mask>"}),
            find(named.pad, {"[PAD]", "<pad>"}),
            find(named.unk, {"[UNK]", "<unk>"})};
}

} // namespace

void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value)
{
    throw Error(ErrorKind::Unsupported, spec.place(), fmt::format("the {} \"{}\" is not known", field, value));
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
    const auto contains = [&](std::string_view part, std::string_view type) {
        return document.has(part) && hasStep(*document.find(part), type);
    };
    PipelineSegmenter::Steps steps;
    steps.isByteLevel = contains("pre_tokenizer", "ByteLevel") || contains("normalizer", "ByteLevel");
    if (document.has("normalizer"))
        steps.normalizer = readNormalizer(document.requireObject("normalizer"));
    if (document.has("pre_tokenizer"))
        steps.preTokenizer = readPreTokenizer(document.requireObject("pre_tokenizer"));
    steps.decoder = document.has("decoder") ? readTokenDecoder(document.requireObject("decoder")) : spaceDecoder();
    steps.model = readSubwordModel(document.requireObject("model"), steps.isByteLevel);

    PipelineTokenizer::Parts parts;
    const Vocabulary& vocabulary = steps.model->vocabulary();
    std::vector<AddedToken> tokens = readAddedTokens(document);
    checkAgainstVocabulary(tokens, vocabulary, where);
    addMissing(tokens, more, vocabulary);
    parts.added = AddedTokens(std::move(tokens), steps.normalizer, where);
    steps.added = parts.added;
    if (document.has("post_processor"))
        readPostProcessor(document.requireObject("post_processor"), parts.processor);
    for (const Template* layout : {&parts.processor.single, &parts.processor.pair})
        requireKnownIds(*layout, parts.added, vocabulary, where);
    parts.named = findNamed(named, parts.added, vocabulary);
    parts.origin = std::filesystem::path(where).filename().string();
    parts.segmenter = std::make_shared<const PipelineSegmenter>(std::move(steps));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace attn
