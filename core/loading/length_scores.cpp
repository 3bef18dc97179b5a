// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/length_scores.h"

#include "base/error.h"
#include "io/json.h"
#include "loading/model_card.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace attn {

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
