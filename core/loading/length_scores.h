// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace attn {

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
    std::vector<LengthScore> lengths; // by length; never empty
};

// None for a model without scores, or without any by length. Throws Error{File, Format} for scores that cannot be read.
std::optional<LengthScores> readLengthScores(const std::filesystem::path& modelDirectory);

// Whether config.json describes a model that reads one text and writes another; false when it cannot be read.
bool isEncoderDecoder(const std::filesystem::path& modelDirectory);

} // namespace attn
