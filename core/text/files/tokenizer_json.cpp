// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_json.h"

#include "base/error.h"
#include "io/json.h"
#include "text/json_spec.h"
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

constexpr std::int64_t largestId = std::numeric_limits<TokenId>::max();

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

std::vector<AddedToken> readAddedTokens(const JsonSpec& document)
{
    std::vector<AddedToken> tokens;
    if (!document.has("added_tokens"))
        return tokens;
    const Json& list = document.require("added_tokens");
    if (!list.is_array())
        document.refuse("added_tokens", "a list");
    for (const Json& entry : list) {
        const JsonSpec spec(entry, fmt::format("{}: added_tokens[{}]", document.where(), tokens.size()));
        AddedToken token;
        token.id = static_cast<TokenId>(spec.integer("id", 0, largestId));
        token.content = spec.text("content");
        token.special = spec.flag("special", false);
        token.singleWord = spec.flag("single_word", false);
        token.leftStrip = spec.flag("lstrip", false);
        token.rightStrip = spec.flag("rstrip", false);
        token.normalized = spec.flag("normalized", !token.special);
        tokens.push_back(std::move(token));
    }
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
TokenId readTokenAndId(const JsonSpec& spec, std::string_view field)
{
    const Json& value = spec.require(field);
    const bool isSound = value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_number_integer()
        && value[1].get<std::int64_t>() >= 0 && value[1].get<std::int64_t>() <= largestId;
    if (!isSound)
        spec.refuse(field, "a token and its id");
    return value[1].get<TokenId>();
}

std::vector<TokenId> readTemplateIds(const JsonSpec& spec, const std::string& name)
{
    const JsonSpec tokens = spec.object("special_tokens");
    const JsonSpec token = tokens.object(name);
    const Json& list = token.require("ids");
    std::vector<TokenId> ids;
    for (const Json& id : list) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > largestId)
            token.refuse("ids", "a list of ids");
        ids.push_back(id.get<TokenId>());
    }
    return ids;
}

Template readTemplate(const JsonSpec& spec, std::string_view field)
{
    Template parts;
    for (const JsonSpec& entry : spec.objects(field)) {
        const bool isText = entry.has("Sequence");
        if (!isText && !entry.has("SpecialToken"))
            entry.refuse("Sequence", "Sequence or SpecialToken");
        const JsonSpec content = entry.object(isText ? "Sequence" : "SpecialToken");
        TemplatePart part;
        part.segment = static_cast<int>(content.integer("type_id", 0, 1));
        const std::string id = content.text("id");
        if (!isText) {
            part.kind = TemplatePart::Kind::Special;
            part.ids = readTemplateIds(spec, id);
        } else if (id == "A" || id == "B") {
            part.kind = id == "A" ? TemplatePart::Kind::First : TemplatePart::Kind::Second;
        } else {
            content.unsupported("sequence", id);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void readPostProcessor(const JsonSpec& spec, PostProcessor& processor)
{
    const std::string type = spec.text("type");
    const bool trimmed = processor.trimsSpans;
    if (type == "Sequence") {
        for (const JsonSpec& step : spec.objects("processors"))
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
                                     trimmed || spec.flag("trim_offsets", true));
    } else if (type == "ByteLevel") {
        processor.trimsSpans = trimmed || spec.flag("trim_offsets", true);
    } else {
        spec.unsupported("post-processor", type);
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

std::shared_ptr<const PipelineTokenizer> buildTokenizerJson(const Json& json, const std::string& where,
                                                            const NamedSpellings& named,
                                                            const std::vector<AddedToken>& more)
{
    const JsonSpec document(json, where);
    const auto contains = [&](std::string_view part, std::string_view type) {
        return document.has(part) && hasStep(document.require(part), type);
    };
    PipelineSegmenter::Steps steps;
    steps.isByteLevel = contains("pre_tokenizer", "ByteLevel") || contains("normalizer", "ByteLevel");
    if (document.has("normalizer"))
        steps.normalizer = readNormalizer(document.object("normalizer"));
    if (document.has("pre_tokenizer"))
        steps.preTokenizer = readPreTokenizer(document.object("pre_tokenizer"));
    steps.decoder = document.has("decoder") ? readTokenDecoder(document.object("decoder")) : spaceDecoder();
    steps.model = readSubwordModel(document.object("model"), steps.isByteLevel);

    PipelineTokenizer::Parts parts;
    const Vocabulary& vocabulary = steps.model->vocabulary();
    std::vector<AddedToken> tokens = readAddedTokens(document);
    checkAgainstVocabulary(tokens, vocabulary, where);
    addMissing(tokens, more, vocabulary);
    parts.added = AddedTokens(std::move(tokens), steps.normalizer, where);
    steps.added = parts.added;
    if (document.has("post_processor"))
        readPostProcessor(document.object("post_processor"), parts.processor);
    for (const Template* layout : {&parts.processor.single, &parts.processor.pair})
        requireKnownIds(*layout, parts.added, vocabulary, where);
    parts.named = findNamed(named, parts.added, vocabulary);
    parts.origin = std::filesystem::path(where).filename().string();
    parts.segmenter = std::make_shared<const PipelineSegmenter>(std::move(steps));
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace attn
