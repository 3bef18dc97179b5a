// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// How good a model is on its test set, as its scores.json says.
struct ModelScore
{
    enum class Measure : std::uint8_t { Bleu, Accuracy, Perplexity };

    Measure measure{};
    double value = 0; // accuracy: 0 to 1
};

// What a model's card and scores say beyond BundledModel; what they do not say is empty.
struct ModelCard
{
    std::vector<std::string> examples; // widget: texts that show what it does
    std::vector<std::string> datasets; // it learned from
    std::optional<ModelScore> score;
};

// Of the README.md and scores.json in a model's directory. Files that are damaged say nothing.
ModelCard readModelCard(const std::filesystem::path& modelDirectory);

} // namespace attn
