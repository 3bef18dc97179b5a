// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/model_config.h"

#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace attn {

namespace {

constexpr std::array<std::string_view, 6> tokenFields = {"bos_token_id",        "decoder_start_token_id",
                                                         "eos_token_id",        "forced_bos_token_id",
                                                         "forced_eos_token_id", "pad_token_id"};
// Fields that one family reads and checks.
constexpr std::array<std::string_view, 8> speechFields = {
    "alignment_heads",        "begin_suppress_tokens", "is_multilingual", "lang_to_id", "max_initial_timestamp_index",
    "no_timestamps_token_id", "suppress_tokens",       "task_to_id"};
constexpr std::string_view badWords = "bad_words_ids";

bool areTokens(const Json& value)
{
    return value.is_array() && std::ranges::all_of(value, [](const Json& id) { return id.is_number_integer(); });
}

void checkTokens(const JsonObject& generation, std::string_view field, const Json& value)
{
    const bool mayBeSeveral = field == "eos_token_id" || field == "forced_eos_token_id";
    if (!value.is_number_integer() && !(mayBeSeveral && areTokens(value)))
        generation.refuse(field, mayBeSeveral ? "a token id or a list of them" : "a token id");
}

// The largest vocabulary that config.json speaks of; none where it speaks of none.
std::int64_t vocabularyOf(const Json& config)
{
    std::int64_t largest = 0;
    for (const char* field : {"vocab_size", "decoder_vocab_size"})
        if (const auto size = config.find(field); size != config.end() && size->is_number_integer())
            largest = std::max(largest, size->get<std::int64_t>());
    return largest;
}

} // namespace

JsonObject readModelConfig(const std::filesystem::path& directory)
{
    JsonObject config(directory / "config.json");
    const std::filesystem::path file = directory / "generation_config.json";
    if (!isThere(file))
        return config;
    const JsonObject generation(file);
    Json merged = config.json();
    for (const std::string_view field : tokenFields) {
        if (!generation.has(field))
            continue;
        const Json& value = *generation.find(field);
        checkTokens(generation, field, value);
        if (const std::int64_t vocabulary = vocabularyOf(merged); field == "decoder_start_token_id" && vocabulary > 0)
            generation.requireInt(field, 0, vocabulary - 1);
        merged[std::string(field)] = value;
    }
    for (const std::string_view field : speechFields) {
        if (generation.has(field))
            merged[std::string(field)] = *generation.find(field);
    }
    if (generation.has(badWords)) {
        const Json& value = generation.requireList(badWords, "lists of token ids");
        if (!std::ranges::all_of(value, areTokens))
            generation.refuse(badWords, "lists of token ids");
        merged[std::string(badWords)] = value;
    }
    return {std::move(merged), config.where()};
}

} // namespace attn
