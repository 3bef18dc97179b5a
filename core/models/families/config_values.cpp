// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>

namespace attn {

namespace {

constexpr int largestSize = 1 << 24;
constexpr int mostLayers = 1024;
constexpr std::size_t mostLabels = 100000;

// None for an id outside the vocabulary: configurations keep their class's defaults when only the vocabulary is cut.
std::optional<TokenId> tokenId(const JsonObject& config, std::string_view field, int vocabulary)
{
    const auto id =
        config.optionalInt(field, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    return id && *id >= 0 && *id < vocabulary ? indexIn(*config.find(field), vocabulary - 1) : std::nullopt;
}

// The same of one id of a list.
void addToken(const Json& id, const JsonObject& config, std::string_view field, int vocabulary,
              std::vector<TokenId>& tokens)
{
    if (!id.is_number_integer())
        config.refuse(field, "token ids");
    if (const auto token = indexIn(id, vocabulary - 1))
        tokens.push_back(*token);
}

// Sequences of one token: longer ones would need the tokens before.
std::vector<TokenId> badTokens(const JsonObject& config, int vocabulary)
{
    constexpr auto field = "bad_words_ids";
    constexpr auto expected = "lists of token ids";
    std::vector<TokenId> result;
    if (!config.has(field))
        return result;
    for (const Json& list : config.requireList(field, expected)) {
        if (!list.is_array())
            config.refuse(field, expected);
        if (list.size() == 1)
            addToken(list.front(), config, field, vocabulary, result);
    }
    return result;
}

// One id or, as in LLaMA 3, a list of them.
std::vector<TokenId> endTokens(const JsonObject& config, int vocabulary)
{
    constexpr auto field = "eos_token_id";
    if (!config.has(field))
        return {};
    std::vector<TokenId> result;
    if (!config.find(field)->is_array()) {
        if (const auto id = tokenId(config, field, vocabulary))
            result.push_back(*id);
        return result;
    }
    for (const Json& id : config.requireList(field))
        addToken(id, config, field, vocabulary, result);
    return result;
}

} // namespace

int requireSize(const JsonObject& config, std::string_view field)
{
    return config.requireInt(field, 1, largestSize);
}

int sizeOr(const JsonObject& config, std::string_view field, int fallback)
{
    return config.optionalInt(field, 1, largestSize).value_or(fallback);
}

int requireLayers(const JsonObject& config, std::string_view field)
{
    return config.requireInt(field, 1, mostLayers);
}

float epsilonOr(const JsonObject& config, std::string_view field, double fallback)
{
    const double epsilon = config.numberOr(field, fallback);
    if (!(epsilon >= 0 && epsilon < 1))
        config.refuse(field, "a small number, 0 or more");
    return static_cast<float>(epsilon);
}

Activation activationOr(const JsonObject& config, std::string_view field, std::string_view fallback)
{
    const std::string name = config.stringOr(field, std::string(fallback));
    const auto known = activationByName(name);
    if (!known)
        refuseSetting(config, field, fmt::format("'{}' is not supported", name),
                      "use relu, gelu, gelu_new, silu or tanh");
    return *known;
}

Activation readActivation(const JsonObject& config, std::string_view fallback)
{
    std::string_view field = "hidden_act";
    for (const std::string_view other : {"hidden_activation", "activation_function", "activation"}) {
        if (!config.has(field))
            field = other;
    }
    return activationOr(config, field, fallback);
}

double positiveOr(const JsonObject& config, std::string_view field, double fallback)
{
    const double value = config.numberOr(field, fallback);
    if (!(value > 0) || !std::isfinite(value))
        config.refuse(field, "a number above 0");
    return value;
}

int headWidth(const JsonObject& config, std::string_view headsField, int heads, int width)
{
    if (width % heads != 0)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), headsField),
                    fmt::format("{} heads do not divide the width {}", heads, width));
    return width / heads;
}

void checkHeads(const JsonObject& config, std::string_view widthField, int heads, int width)
{
    if (std::int64_t{heads} * width > largestSize)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), widthField),
                    fmt::format("{} heads of {} features are more than any model has", heads, width));
}

std::vector<std::string> readLabels(const JsonObject& config)
{
    constexpr auto field = "id2label";
    if (!config.has(field))
        return {};
    const JsonObject labels = config.requireObject(field);
    const std::size_t count = labels.json().size();
    if (count < 1 || count > mostLabels)
        config.refuse(field, R"(an object that names the classes "0", "1", ...)");
    std::vector<std::string> result;
    for (std::size_t id = 0; id < count; ++id)
        result.push_back(labels.requireString(std::to_string(id)));
    return result;
}

std::vector<TokenId> tokensOr(const JsonObject& config, std::string_view field, int vocabulary)
{
    std::vector<TokenId> result;
    if (config.has(field)) {
        for (const Json& id : config.requireList(field, "token ids"))
            addToken(id, config, field, vocabulary, result);
    }
    return result;
}

void refuseSetting(const JsonObject& config, std::string_view field, std::string_view problem, std::string_view advice)
{
    throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", config.where(), field), std::string(problem),
                std::string(advice));
}

JsonObject withTokensOf(const JsonObject& config, const JsonObject& decoder)
{
    Json merged = config.json();
    for (const char* field : {"decoder_start_token_id", "bos_token_id", "eos_token_id", "pad_token_id"}) {
        if (const Json* const value = decoder.find(field); value != nullptr && !config.has(field))
            merged[field] = *value;
    }
    return {std::move(merged), config.where()};
}

void readTokenSettings(const JsonObject& config, ModelInfo& info)
{
    const int vocabulary = info.targetVocabulary;
    if (info.kind == ModelKind::DecoderOnly) {
        info.decoderStart = tokenId(config, "bos_token_id", vocabulary);
        info.padding = tokenId(config, "pad_token_id", vocabulary);
    } else {
        constexpr auto start = "decoder_start_token_id"; // the others may be left over, this one is meant
        if (config.has(start))
            config.requireInt(start, 0, vocabulary - 1);
        for (const char* field : {"decoder_start_token_id", "bos_token_id", "pad_token_id"}) {
            if (info.decoderStart)
                break;
            info.decoderStart = tokenId(config, field, vocabulary);
        }
        if (!info.decoderStart)
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
