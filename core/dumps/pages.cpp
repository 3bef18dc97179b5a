// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/dump.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Pages of BertViz hold their data as "params = {"attention": [{"name", "attn", "left_text", "right_text"}, ...]}"; the
// neuron view has an object of such by "all", "aa", ... Rows are tokens on the left.
constexpr std::string_view bertvizMark = "bertviz-";
constexpr std::string_view begins = "params = ";

Json attentionOf(const DumpFile& file)
{
    const std::string_view text = file.text();
    for (std::size_t at = text.find(begins); at != std::string_view::npos; at = text.find(begins, at + 1)) {
        const std::size_t brace = at + begins.size();
        if (brace >= text.size() || text[brace] != '{')
            continue;
        Json params = objectAt(text, brace, file.where());
        if (params.contains("attention"))
            return std::move(params["attention"]);
    }
    file.refuse({}, "is a page of BertViz without its data");
}

void add(DumpedSentence& sentence, const Json& view, const std::string& where)
{
    const JsonObject object(view, where);
    const std::string name = object.stringOr("name", {});
    const char* const key = object.has("attn") ? "attn" : "att";
    DumpedMaps maps = shownRuns(nestedNumbers(object.requireList(key), where), where);
    std::vector<std::string> left = textsOf(object.requireList("left_text"), where);
    std::vector<std::string> right = textsOf(object.requireList("right_text"), where);
    if (name == "Cross") {
        sentence.source = std::move(right);
        sentence.target = std::move(left);
        sentence.maps.emplace(Stage::Cross, std::move(maps));
    } else if (name == "Decoder") {
        sentence.maps.emplace(Stage::Decoder, std::move(maps));
    } else {
        sentence.source = std::move(left);
        sentence.maps.emplace(name == "Encoder" ? Stage::Encoder : ownStage(maps), std::move(maps));
    }
    if (name == "Decoder" && sentence.target.empty() && sentence.source.empty())
        sentence.source = std::move(left); // alone, it is a decoder-only model's
}

// An encoder, a decoder and what is between them; or one text, whose parts come again as views of their own.
DumpedSentence bertvizPage(const DumpFile& file)
{
    const Json attention = attentionOf(file);
    const std::string where = file.where() + ": attention";
    DumpedSentence sentence;
    if (attention.is_object()) {
        const JsonObject views(attention, where);
        add(sentence, views.requireObject("all").json(), where);
        if (views.has("aa"))
            sentence.firstSegment = views.requireObject("aa").requireList("left_text").size();
        return sentence;
    }
    if (!attention.is_array() || attention.empty())
        throw Error(ErrorKind::Format, where, "is no list of views");
    const auto isStage = [](const Json& view) {
        const Json name = view.is_object() && view.contains("name") ? view["name"] : Json();
        return name == "Encoder" || name == "Decoder" || name == "Cross";
    };
    const bool hasStages = isStage(attention.front());
    for (const Json& view : attention) {
        if (hasStages || sentence.maps.empty())
            add(sentence, view, where);
        else if (const JsonObject part(view, where); part.stringOr("name", {}) == "Sentence A -> Sentence A")
            sentence.firstSegment = part.requireList("left_text").size();
    }
    return sentence;
}

} // namespace

const DumpKind bertViz = {
    "BertViz pages (HTML)",
    [](const DumpFile& file) { return file.looksLikePage() && contains(file.head(), bertvizMark); },
    [](const SharedDumpFile& file) {
        return Dump{1, [file](std::size_t) { return bertvizPage(*file); }};
    }};

namespace {

// Pages of circuitsvis end in render("circuits-vis-...", AttentionPatterns, {"tokens": ..., "attention": ...}). The
// object is read, the program around it is not looked at.
constexpr std::string_view circuitsMark = "circuits-vis-";
constexpr std::string_view components[] = {"AttentionPatterns,", "AttentionHeads,", "AttentionPattern,"};

std::optional<std::size_t> propertiesAt(std::string_view text)
{
    for (const std::string_view component : components) {
        for (std::size_t at = text.find(component); at != std::string_view::npos; at = text.find(component, at + 1)) {
            const std::size_t next = text.find_first_not_of(" \t\r\n", at + component.size());
            if (next != std::string_view::npos && text[next] == '{')
                return next;
        }
    }
    return std::nullopt;
}

DumpedSentence circuitsPage(const DumpFile& file)
{
    const std::string_view text = file.text();
    const auto begin = propertiesAt(text);
    if (!begin)
        file.refuse({}, "is a page of circuitsvis that shows no attention");
    const JsonObject properties(objectAt(text, *begin, file.where()), file.where());
    DumpedSentence sentence;
    sentence.source = textsOf(properties.requireList("tokens"), file.where() + ": tokens");
    const std::string place = file.where() + ": attention";
    DumpedMaps maps = shownRuns(nestedNumbers(properties.requireList("attention"), place), place);
    sentence.maps.emplace(ownStage(maps), std::move(maps));
    return sentence;
}

} // namespace

const DumpKind circuitsVis = {
    "circuitsvis pages (HTML)",
    [](const DumpFile& file) { return file.looksLikePage() && contains(file.head(), circuitsMark); },
    [](const SharedDumpFile& file) {
        return Dump{1, [file](std::size_t) { return circuitsPage(*file); }};
    }};

namespace {

// Weights of one head, a sequence at a time, the largest of each row alone: indices are row * seq_len + column. A file
// of HeadVis has a list of sequences of a head under "sequences", Neuronpedia's answer is one, and its tables hold
// lists.
constexpr auto indices = "attention_indices";

Json sequencesOf(Json file)
{
    if (file.is_object() && file.contains("sequences"))
        return std::move(file["sequences"]);
    return file.is_object() ? Json::array({std::move(file)}) : file;
}

DumpedSentence sequence(const DumpFile& file, const Json& json, const std::string& place)
{
    const JsonObject object(json, fmt::format("{}: {}", file.where(), place));
    const Json& at = object.requireList(indices);
    const Json& weights = object.requireList("attention_values");
    DumpedSentence sentence;
    sentence.source = textsOf(object.requireList("tokens"), object.where());
    const std::size_t size = sentence.source.size();
    if (object.has("seq_len")
        && object.requireInt("seq_len", 0, std::int64_t{1} << 24) != static_cast<std::int64_t>(size))
        object.refuse("seq_len", fmt::format("the {} tokens", size));
    if (at.size() != weights.size())
        object.refuse("attention_values", fmt::format("as many numbers as {} has", indices));
    DumpedMaps maps = zeroMaps(1, 1, size, size, file.where());
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto cell = indexIn(at[i], static_cast<std::int64_t>(maps.weights.size()) - 1);
        if (!cell || !weights[i].is_number())
            object.refuse(indices, fmt::format("numbers below {} and weights", maps.weights.size()));
        maps.weights[static_cast<std::size_t>(*cell)] = weights[i].get<float>();
    }
    sentence.maps.emplace(Stage::Decoder, std::move(maps)); // both show decoder-only models
    return sentence;
}

} // namespace

const DumpKind headVis = {"HeadVis and Neuronpedia attention (JSON)",
                          [](const DumpFile& file) { return file.looksLikeJson() && namesKey(file.head(), indices); },
                          [](const SharedDumpFile& file) {
                              const auto sequences = std::make_shared<const Json>(sequencesOf(file->json()));
                              if (!sequences->is_array())
                                  file->refuse("sequences", "is no list");
                              return Dump{sequences->size(), [file, sequences](std::size_t i) {
                                              return sequence(*file, (*sequences)[i], fmt::format("sequence {}", i));
                                          }};
                          }};

} // namespace attn
