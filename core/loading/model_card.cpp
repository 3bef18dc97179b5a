// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_card.h"

#include "base/error.h"
#include "base/plain_text.h"
#include "io/json.h"
#include "io/mapped_file.h"
#include "loading/model_loader.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestCard = std::size_t{64} << 10U;
constexpr std::size_t longestExample = 2000; // characters
constexpr std::size_t longestSummary = 2000;
constexpr std::size_t mostEntries = 50;
constexpr std::string_view spaces = " \t\r";

std::string_view stripped(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(spaces);
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

// Off the front of a text, without its end.
std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string unquoted(std::string_view text)
{
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// "en" or "[en, fr]".
std::vector<std::string> listOf(std::string_view value)
{
    if (value.starts_with('[') && value.ends_with(']'))
        value = value.substr(1, value.size() - 2);
    std::vector<std::string> entries;
    while (!value.empty() && entries.size() < mostEntries) {
        const std::size_t comma = std::min(value.find(','), value.size());
        if (const std::string_view entry = stripped(value.substr(0, comma)); !entry.empty())
            entries.emplace_back(entry);
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return entries;
}

// "[encoder:1:4, it, animal, 0.23]"; nothing of other texts.
std::optional<ExampleWeight> exampleWeight(std::string_view text)
{
    const auto parts = listOf(text);
    const auto weight = parts.size() == 4 ? parsedNumber<float>(parts[3]) : std::nullopt;
    if (!weight)
        return std::nullopt;
    try {
        return ExampleWeight{parseSite(parts[0], std::string(modelCardFile)), unquoted(parts[1]), unquoted(parts[2]),
                             *weight};
    } catch (const Error&) {
        return std::nullopt;
    }
}

// A line "key: value" of the newest example.
void readExampleProperty(std::string_view line, std::vector<ModelExample>& examples)
{
    const std::size_t colon = line.find(':');
    if (examples.empty() || colon == std::string_view::npos || line.size() >= longestExample)
        return;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = stripped(line.substr(colon + 1));
    if (key == "attention")
        examples.back().attention = exampleWeight(value);
    else if (key == "text")
        examples.back().output = unquoted(value);
    else if (key == "example_title")
        examples.back().title = unquoted(value);
}

// An entry of a list, a line each: "- text: a text", "- src: a picture or sound" and "- a data set".
void readEntry(std::string_view key, std::string_view entry, ModelCard& card)
{
    constexpr std::string_view text = "text:";
    constexpr std::string_view source = "src:";
    if (key == "datasets:" && card.datasets.size() < mostEntries)
        card.datasets.push_back(unquoted(entry));
    if (key != "widget:" || entry.size() >= longestExample || card.examples.size() >= mostEntries)
        return;
    if (entry.starts_with(text))
        card.examples.push_back({.text = unquoted(stripped(entry.substr(text.size())))});
    else if (entry.starts_with(source))
        card.examples.push_back({.file = unquoted(stripped(entry.substr(source.size())))});
}

// A short text of the file; empty where there is none.
std::string nameIn(const Json& scores, const char* key)
{
    const auto found = scores.find(key);
    return found != scores.end() && found->is_string() && found->get_ref<const std::string&>().size() <= longestTestSet
        ? found->get<std::string>()
        : std::string();
}

std::optional<ModelScore> readScore(const fs::path& path)
{
    constexpr std::pair<const char*, ModelScore::Measure> rows[] = {
        {"/bleu", ModelScore::Measure::Bleu},
        {"/accuracy", ModelScore::Measure::Accuracy},
        {"/trained_styles/accepted", ModelScore::Measure::Accuracy},
        {"/test/all/perplexity", ModelScore::Measure::Perplexity}};
    constexpr JsonLimits limits{.bytes = std::size_t{1} << 20, .depth = 16, .uniqueKeys = true};
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return std::nullopt;
    const Json scores = readJson(path, limits);
    for (const auto& [pointer, measure] : rows) {
        const Json::json_pointer place(pointer);
        if (scores.contains(place) && scores.at(place).is_number())
            return ModelScore{measure, scores.at(place).get<double>(), nameIn(scores, "test_set")};
    }
    return std::nullopt;
}

// A line "key: value" of the card's front matter.
void readProperty(std::string_view line, BundledModel& model)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return;
    const std::string_view key = stripped(line.substr(0, colon));
    const std::string_view value = stripped(line.substr(colon + 1));
    if (key == "model_name")
        model.family = value.substr(0, longestSummary);
    else if (key == "language")
        model.languages = listOf(value);
    else if (key == "pipeline_tag")
        model.task = taskOf(value);
}

std::string firstSentence(const std::string& text)
{
    auto end = text.find(". ");
    while (end != std::string::npos && text.substr(0, end).ends_with(" al"))
        end = text.find(". ", end + 1);
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

} // namespace

std::string modelCardText(const fs::path& modelDirectory)
{
    std::string text;
    try {
        const auto file = openRegularFile(modelDirectory / modelCardFile);
        text.resize(longestCard);
        text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    } catch (const Error&) { // a model without a card
        text.clear();
    }
    return text;
}

ModelCard parseModelCard(std::string_view text)
{
    ModelCard card;
    std::string_view key;
    if (stripped(takeLine(text)) != "---")
        return card;
    while (!text.empty()) {
        const std::string_view whole = takeLine(text);
        const std::string_view line = stripped(whole);
        const bool indented = whole.starts_with(' ');
        if (line == "---")
            break;
        if (line.starts_with("- "))
            readEntry(key, stripped(line.substr(2)), card);
        else if (!indented)
            key = line;
        else if (key == "widget:")
            readExampleProperty(line, card.examples);
    }
    return card;
}

void describe(BundledModel& model, std::string_view card)
{
    std::string text;
    bool frontMatter = false;
    for (bool first = true; !card.empty(); first = false) {
        const std::string_view line = takeLine(card);
        if (line == "---" && (first || frontMatter))
            frontMatter = !frontMatter;
        else if (frontMatter)
            readProperty(line, model);
        else if ((line.empty() && !text.empty()) || text.size() > longestSummary)
            break;
        else if (!line.starts_with('#'))
            text += (text.empty() ? "" : " ") + std::string(line.substr(0, longestSummary));
    }
    model.summary = firstSentence(text);
}

std::optional<BundledModel> cardedModel(const std::string& model)
{
    for (BundledModel& one : bundledModels()) {
        if (one.name == model)
            return std::move(one);
    }
    const std::string card = model.find('/') == std::string::npos ? std::string() : modelCardText(model);
    if (card.empty())
        return std::nullopt;
    BundledModel found{model, {}, model};
    describe(found, card);
    return found;
}

ModelCard readModelCard(const fs::path& modelDirectory)
{
    ModelCard card = parseModelCard(modelCardText(modelDirectory));
    std::erase_if(card.examples, [&modelDirectory](ModelExample& example) {
        if (example.file.empty())
            return false;
        const fs::path file(example.file);
        example.file = (modelDirectory / file).string();
        return file != file.filename(); // one that lies elsewhere
    });
    try {
        card.score = readScore(modelDirectory / modelScoresFile);
    } catch (const Error&) { // a card that says less
        card.score.reset();
    }
    return card;
}

namespace {

namespace fs = std::filesystem;

constexpr JsonLimits scoreLimits{.bytes = std::size_t{1} << 20, .depth = 16, .uniqueKeys = true};
constexpr int longest = 100000; // words, and sentences of a test set

LengthScore scoreOf(const JsonObject& fields)
{
    LengthScore score;
    score.from = fields.requireInt("from", 1, longest);
    score.to = fields.requireInt("to", score.from, longest);
    score.sentences = fields.requireInt("sentences", 1, longest);
    score.bleu = fields.numberOr("bleu", 0);
    if (!fields.has("bleu") || score.bleu < 0 || score.bleu > 100)
        fields.refuse("bleu", "a number from 0 to 100");
    return score;
}

} // namespace

std::optional<LengthScores> readLengthScores(const fs::path& modelDirectory)
{
    const fs::path path = modelDirectory / modelScoresFile;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return std::nullopt;
    const JsonObject file(path, scoreLimits);
    if (!file.has("bleu_by_length"))
        return std::nullopt;
    LengthScores scores;
    scores.testSet = file.stringOr("test_set_by_length", {});
    if (scores.testSet.size() > longestTestSet)
        file.refuse("test_set_by_length", "a short name");
    scores.beam = file.optionalInt("beam", 1, 1000).value_or(1);
    for (const JsonObject& entry : file.requireObjects("bleu_by_length", 1000))
        scores.lengths.push_back(scoreOf(entry));
    if (scores.lengths.empty())
        file.refuse("bleu_by_length", "a list of 1 to 1000 ranges of lengths");
    std::ranges::sort(scores.lengths, {}, &LengthScore::from);
    return scores;
}

bool isEncoderDecoder(const fs::path& modelDirectory)
{
    try {
        const JsonObject config(modelDirectory / "config.json");
        const Family* const family = findFamily(config.stringOr("model_type", {}));
        return family != nullptr ? family->kind == ModelKind::EncoderDecoder
                                 : config.boolOr("is_encoder_decoder", false);
    } catch (const Error&) {
        return false; // loading it says what is wrong
    }
}

} // namespace attn
