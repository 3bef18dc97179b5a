// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/token_settings.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace attn {

namespace {

// None for an id outside the vocabulary: configurations keep their class's defaults when only the vocabulary is cut.
std::optional<TokenId> tokenId(const JsonObject& config, std::string_view field, int vocabulary)
{
    const auto id =
        config.optionalInt(field, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    return id && *id >= 0 && *id < vocabulary ? std::optional(static_cast<TokenId>(*id)) : std::nullopt;
}

// Sequences of one token: longer ones would need the tokens before.
std::vector<TokenId> badTokens(const JsonObject& config, int vocabulary)
{
    std::vector<TokenId> result;
    if (!config.has("bad_words_ids"))
        return result;
    const char* expected = "lists of token ids";
    const Json& lists = config.json().at("bad_words_ids");
    if (!lists.is_array())
        config.refuse("bad_words_ids", expected);
    for (const Json& list : lists) {
        if (!list.is_array())
            config.refuse("bad_words_ids", expected);
        if (list.size() != 1)
            continue;
        const Json& id = list.front();
        if (!id.is_number_integer())
            config.refuse("bad_words_ids", expected);
        if (id.get<std::int64_t>() >= 0 && id.get<std::int64_t>() < vocabulary)
            result.push_back(id.get<TokenId>());
    }
    return result;
}

} // namespace

namespace {

// One id or, as in LLaMA 3, a list of them.
std::vector<TokenId> endTokens(const JsonObject& config, int vocabulary)
{
    constexpr auto field = "eos_token_id";
    if (!config.has(field))
        return {};
    const Json& value = config.json().at(field);
    if (!value.is_array()) {
        const auto id = tokenId(config, field, vocabulary);
        return id ? std::vector{*id} : std::vector<TokenId>();
    }
    std::vector<TokenId> result;
    for (const Json& id : value) {
        if (!id.is_number_integer())
            config.refuse(field, "token ids");
        if (id.get<std::int64_t>() >= 0 && id.get<std::int64_t>() < vocabulary)
            result.push_back(id.get<TokenId>());
    }
    return result;
}

} // namespace

void readTokenSettings(const JsonObject& config, ModelInfo& info)
{
    const int vocabulary = info.targetVocabulary;
    if (info.kind == ModelKind::DecoderOnly) {
        info.decoderStart = tokenId(config, "bos_token_id", vocabulary).value_or(-1);
    } else {
        constexpr auto start = "decoder_start_token_id"; // the others may be left over, this one is meant
        if (config.has(start))
            config.requireInt(start, 0, vocabulary - 1);
        for (const char* field : {"decoder_start_token_id", "bos_token_id", "pad_token_id"}) {
            if (info.decoderStart >= 0)
                break;
            info.decoderStart = tokenId(config, field, vocabulary).value_or(-1);
        }
        if (info.decoderStart < 0)
            throw Error(ErrorKind::Format, config.where(), "names no token that decoding could start from",
                        "add decoder_start_token_id");
        info.firstToken = tokenId(config, "forced_bos_token_id", vocabulary);
    }
    info.otherEndTokens = endTokens(config, vocabulary);
    if (!info.otherEndTokens.empty()) {
        info.endToken = info.otherEndTokens.front();
        info.otherEndTokens.erase(info.otherEndTokens.begin());
    }
    info.badTokens = badTokens(config, vocabulary);
    info.sourceLanguage = config.stringOr("source_language", {});
    info.targetLanguage = config.stringOr("target_language", {});
}

} // namespace attn
