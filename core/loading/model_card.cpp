// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_card.h"

#include "base/error.h"
#include "io/json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestExample = 2000; // characters
constexpr std::size_t mostEntries = 50;
constexpr std::string_view spaces = " \t\r";

std::string_view stripped(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(spaces);
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

std::string unquoted(std::string_view text)
{
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// An entry of a list, a line each: "- text: a text" and "- a data set".
void readEntry(std::string_view key, std::string_view entry, ModelCard& card)
{
    constexpr std::string_view text = "text:";
    if (key == "datasets:" && card.datasets.size() < mostEntries)
        card.datasets.push_back(unquoted(entry));
    else if (key == "widget:" && entry.starts_with(text) && entry.size() < longestExample
             && card.examples.size() < mostEntries)
        card.examples.push_back(unquoted(stripped(entry.substr(text.size()))));
}

void readFrontMatter(const fs::path& path, ModelCard& card)
{
    std::ifstream file(path);
    std::string line;
    std::string key;
    if (!std::getline(file, line) || stripped(line) != "---")
        return;
    while (std::getline(file, line) && stripped(line) != "---") {
        const std::string_view text = stripped(line);
        if (text.starts_with("- "))
            readEntry(key, stripped(text.substr(2)), card);
        else
            key = text;
    }
}

std::optional<ModelScore> readScore(const fs::path& path)
{
    constexpr std::pair<const char*, ModelScore::Measure> rows[] = {
        {"/bleu", ModelScore::Measure::Bleu},
        {"/accuracy", ModelScore::Measure::Accuracy},
        {"/test/all/perplexity", ModelScore::Measure::Perplexity}};
    constexpr JsonLimits limits{std::size_t{1} << 20, 16, true};
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return std::nullopt;
    const Json scores = readJson(path, limits);
    for (const auto& [pointer, measure] : rows) {
        const Json::json_pointer place(pointer);
        if (scores.contains(place) && scores.at(place).is_number())
            return ModelScore{measure, scores.at(place).get<double>()};
    }
    return std::nullopt;
}

} // namespace

ModelCard readModelCard(const fs::path& modelDirectory)
{
    ModelCard card;
    readFrontMatter(modelDirectory / "README.md", card);
    try {
        card.score = readScore(modelDirectory / "scores.json");
    } catch (const Error&) { // a card that says less
        card.score.reset();
    }
    return card;
}

} // namespace attn
