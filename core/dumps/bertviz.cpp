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

} // namespace attn
