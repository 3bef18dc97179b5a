// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/head_reading.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct BundledModel;

// Name of the card in a model's directory.
inline constexpr std::string_view modelCardFile = "README.md";
inline constexpr std::string_view modelScoresFile = "scores.json";
inline constexpr std::size_t longestTestSet = 60; // bytes of its name

// Quality of a model on its test set, as its scores.json says.
struct ModelScore
{
    enum class Measure : std::uint8_t { Bleu, Accuracy, Perplexity };

    Measure measure{};
    double value = 0; // accuracy: 0 to 1
    std::string testSet = {}; // its name; empty: the file says none
};

// The attention weight that an example shows: from one word to another, as pictures with merged words name them.
struct ExampleWeight
{
    SiteChoice site;
    std::string query; // word of a row
    std::string key; // word of a column
    float weight = 0;
};

// A text, picture or sound that shows what a model does: an entry "text: ..." or "src: FILE" of a card's widget, with
// "attention: [encoder:1:4, it, animal, 0.23]" and, as Hugging Face's cards have them, "output:" and "text: ..." below.
struct ModelExample
{
    std::string text = {};
    std::string file =
        {}; // of a picture or sound in the model's directory, with its path once the card is read from there
    std::optional<ExampleWeight> attention = {};
    std::string output = {}; // what the model makes of it; empty: the card does not say
    std::string title = {}; // "example_title:", what it shows; likewise
};

// Statements of a model's card and scores beyond BundledModel; empty where they say nothing.
struct ModelCard
{
    std::vector<ModelExample> examples;
    std::vector<std::string> datasets; // it learned from
    std::optional<ModelScore> score;
};

// Statements of the README.md and scores.json in a model's directory. Files that are damaged say nothing.
ModelCard readModelCard(const std::filesystem::path& modelDirectory);

// The README.md of a model's directory, the first 64 KiB of a longer one; empty where there is no such file.
std::string modelCardText(const std::filesystem::path& modelDirectory);
// Statements of such a text about examples and data; whatever it is.
ModelCard parseModelCard(std::string_view text);
// Statements about a bundled model: its family, task and languages, and its first sentence.
void describe(BundledModel& model, std::string_view card);
// A bundled model by its name, or what the card in a folder says of the one there.
std::optional<BundledModel> cardedModel(const std::string& model);

// BLEU of the test sentences that are from .. to source words long.
struct LengthScore
{
    int from = 0;
    int to = 0;
    int sentences = 0;
    double bleu = 0; // percent
};

// Quality by source length, from scores.json beside a model's card.
struct LengthScores
{
    int beam = 1;
    std::string testSet = {}; // its name; empty: the file says none
    std::vector<LengthScore> lengths; // by length; never empty
};

// None for a model without scores, or without any by length. Throws Error{File, Format} for scores that cannot be read.
std::optional<LengthScores> readLengthScores(const std::filesystem::path& modelDirectory);

// Whether config.json describes a model that reads one text and writes another; false when it cannot be read.
bool isEncoderDecoder(const std::filesystem::path& modelDirectory);

} // namespace attn
