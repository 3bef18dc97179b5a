// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/rotary_config.h"

#include "base/error.h"
#include "models/families/config_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr std::pair<std::string_view, RotaryScaling> kinds[] = {
    {"default", RotaryScaling::None},  {"linear", RotaryScaling::Linear}, {"dynamic", RotaryScaling::Dynamic},
    {"llama3", RotaryScaling::Llama3}, {"yarn", RotaryScaling::Yarn},     {"longrope", RotaryScaling::LongRope},
    {"su", RotaryScaling::LongRope}};

RotaryScaling kindOf(const JsonObject& scaling)
{
    const std::string name = scaling.stringOr("rope_type", scaling.stringOr("type", "default"));
    for (const auto& [known, kind] : kinds) {
        if (known == name)
            return kind;
    }
    refuseSetting(scaling, "rope_type", fmt::format("'{}' is not supported", name),
                  "default, linear, dynamic, llama3, yarn and longrope are");
}

double factorOf(const JsonObject& scaling)
{
    if (!scaling.has("factor"))
        scaling.refuse("factor", "a number above 0");
    return positiveOr(scaling, "factor", 1);
}

double temperature(double factor, double scale)
{
    return factor <= 1 ? 1.0 : 0.1 * scale * std::log(factor) + 1;
}

// Peng et al. 2023, section 3.4, with DeepSeek's variant for models that name mscale.
double yarnMagnitude(const JsonObject& scaling, double factor)
{
    if (scaling.has("attention_factor"))
        return positiveOr(scaling, "attention_factor", 1);
    const double scale = scaling.numberOr("mscale", 0);
    const double all = scaling.numberOr("mscale_all_dim", 0);
    return scale != 0 && all != 0 ? temperature(factor, scale) / temperature(factor, all) : temperature(factor, 1);
}

// One factor for each pair of rotated features.
std::vector<double> readFactors(const JsonObject& scaling, std::string_view field, int pairs)
{
    const std::string expected = fmt::format("a list of {} numbers above 0", pairs);
    std::vector<double> result;
    for (const Json& factor : scaling.requireList(field, expected)) {
        const double value = factor.is_number() ? factor.get<double>() : 0;
        if (!(value > 0) || !std::isfinite(value))
            scaling.refuse(field, expected);
        result.push_back(value);
    }
    if (std::ssize(result) != pairs)
        scaling.refuse(field, expected);
    return result;
}

// Ding et al. 2024, as Phi-3 has it.
void readLongRope(const JsonObject& config, const JsonObject& scaling, RotarySettings& result)
{
    result.factors = readFactors(scaling, "short_factor", result.width / 2);
    result.longFactors = readFactors(scaling, "long_factor", result.width / 2);
    if (!scaling.has("original_max_position_embeddings"))
        result.originalPositions = sizeOr(config, "original_max_position_embeddings", result.maximumPositions);
    const double ratio = static_cast<double>(result.maximumPositions) / result.originalPositions;
    result.magnitude = ratio <= 1 ? 1.0 : std::sqrt(1 + std::log(ratio) / std::log(result.originalPositions));
    result.magnitude = positiveOr(scaling, "attention_factor", result.magnitude);
}

void readScaling(const JsonObject& config, const JsonObject& scaling, RotarySettings& result)
{
    result.scaling = kindOf(scaling);
    result.factor = result.magnitude = 1; // not those of a model that says nothing
    result.queryGrowth = scaling.numberOr("llama_4_scaling_beta", 0);
    result.originalPositions = sizeOr(scaling, "original_max_position_embeddings", result.maximumPositions);
    if (result.scaling == RotaryScaling::None)
        return;
    if (result.scaling == RotaryScaling::LongRope)
        return readLongRope(config, scaling, result);
    result.factor = factorOf(scaling);
    if (result.scaling == RotaryScaling::Llama3) {
        result.lowFrequencyFactor = positiveOr(scaling, "low_freq_factor", 1);
        result.highFrequencyFactor = positiveOr(scaling, "high_freq_factor", 4);
        if (result.highFrequencyFactor <= result.lowFrequencyFactor)
            scaling.refuse("high_freq_factor", "a number above low_freq_factor");
    }
    if (result.scaling == RotaryScaling::Yarn) {
        result.fastRotations = positiveOr(scaling, "beta_fast", 32);
        result.slowRotations = positiveOr(scaling, "beta_slow", 1);
        result.wholeRotations = scaling.boolOr("truncate", true);
        result.magnitude = yarnMagnitude(scaling, result.factor);
    }
}

// rope_parameters, or in it what is said of one type of layers.
JsonObject parametersOf(const JsonObject& config, std::string_view layerType)
{
    const JsonObject parameters = config.requireObject("rope_parameters");
    return !layerType.empty() && parameters.has(layerType) ? parameters.requireObject(layerType) : parameters;
}

constexpr auto ggufFactors = "rope_freqs.weight";
constexpr auto longFactors = "rope_factors_long.weight";
constexpr auto shortFactors = "rope_factors_short.weight";

// Divisors of the frequencies, one for each pair of features, whatever they are: LLaMA 3's, or Phi-3's for short and
// for long texts.
Json factorsOf(const GgufMetadata& file, std::int64_t pairs)
{
    const bool hasTwo = file.hasTensor(longFactors);
    const std::vector<float> ofLong = file.numbers(hasTwo ? longFactors : ggufFactors, pairs);
    const std::int64_t length = file.size("context_length");
    return {{"rope_type", "longrope"},
            {"short_factor", hasTwo ? file.numbers(shortFactors, pairs) : ofLong},
            {"long_factor", ofLong},
            {"original_max_position_embeddings",
             file.optionalSize("rope.scaling.original_context_length").value_or(length)},
            {"attention_factor", file.number("rope.scaling.attn_factor").value_or(1.0)}};
}

// Null where nothing is scaled.
Json ggufScaling(const GgufMetadata& file)
{
    const std::string kind = file.text("rope.scaling.type");
    const auto factor = file.number(file.has("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear");
    if (kind == "none" || !factor || *factor == 0 || *factor == 1)
        return {};
    if (kind.empty() || kind == "linear")
        return {{"rope_type", "linear"}, {"factor", *factor}};
    if (kind != "yarn")
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), file.key("rope.scaling.type")),
                    fmt::format("the rotary scaling {} is not read", kind), "none, linear, yarn and llama3 are");
    Json json{{"rope_type", "yarn"}, {"factor", *factor}};
    if (const auto original = file.optionalSize("rope.scaling.original_context_length"))
        json["original_max_position_embeddings"] = *original;
    const double scale = file.number("rope.scaling.attn_factor").value_or(1);
    const double all = file.number("rope.scaling.yarn_log_multiplier").value_or(0);
    if (scale != 1 || all != 0)
        json["attention_factor"] = scale * temperature(*factor, 1) / temperature(*factor, all);
    if (const auto fast = file.number("rope.scaling.yarn_beta_fast"))
        json["beta_fast"] = *fast;
    if (const auto slow = file.number("rope.scaling.yarn_beta_slow"))
        json["beta_slow"] = *slow;
    return json;
}

} // namespace

RotarySettings readRotary(const JsonObject& config, int headWidth, const RotaryReading& reading)
{
    constexpr auto theta = "rope_theta";
    constexpr auto partial = "partial_rotary_factor";
    const bool newer = config.has("rope_parameters");
    const JsonObject parameters = newer ? parametersOf(config, reading.layerType) : config;
    RotarySettings result = reading.unsaid;
    result.maximumPositions = sizeOr(config, "max_position_embeddings", result.maximumPositions);
    result.base = positiveOr(config, reading.base, result.base);
    double part = positiveOr(config, reading.partField, reading.part);
    if (newer) {
        if (!parameters.has(theta) && !config.has(reading.base))
            parameters.refuse(theta, "a number above 0");
        result.base = positiveOr(parameters, theta, result.base);
        part = positiveOr(parameters, partial, part);
    }
    if (part > 1)
        refuseSetting(config, reading.partField, "is above 1: a head has no more features than its own");
    result.width = static_cast<int>(headWidth * part);
    if (result.width % 2 != 0 || result.width < 2)
        refuseSetting(config, "head_dim",
                      fmt::format("{} features of a head cannot be rotated in pairs", result.width));
    if (reading.scaled && newer)
        readScaling(config, parameters, result);
    else if (reading.scaled && config.has("rope_scaling"))
        readScaling(config, config.requireObject("rope_scaling"), result);
    if (result.scaling == RotaryScaling::Dynamic && result.width < 4)
        refuseSetting(config, "head_dim",
                      fmt::format("{} features of a head are too few to be rotated so", result.width));
    return result;
}

std::vector<std::shared_ptr<const RotaryPositions>> rotaryByLayer(const JsonObject& config, int headWidth,
                                                                  const std::vector<bool>& local,
                                                                  const RotaryReading& ofGlobal,
                                                                  const RotaryReading& ofLocal)
{
    const auto global = std::make_shared<const RotaryPositions>(readRotary(config, headWidth, ofGlobal));
    const auto nearby = std::make_shared<const RotaryPositions>(readRotary(config, headWidth, ofLocal));
    std::vector<std::shared_ptr<const RotaryPositions>> result;
    for (const bool windowed : local)
        result.push_back(windowed ? nearby : global);
    return result;
}

Positions describeRotary(const RotarySettings& settings)
{
    Positions result{PositionScheme::Rotary};
    if (settings.scaling == RotaryScaling::None)
        return result;
    result.scaling = std::ranges::find(kinds, settings.scaling, [](const auto& kind) { return kind.second; })->first;
    result.factor = settings.factor;
    return result;
}

void addGgufRotary(Json& json, const GgufMetadata& file, std::int64_t features)
{
    const double base = file.number("rope.freq_base").value_or(10000.0);
    json["rope_theta"] = base;
    const std::int64_t rotated = file.optionalSize("rope.dimension_count").value_or(features);
    const double rounded = rotated < features ? 0.5 : 0; // the product with the features is rounded down
    json["partial_rotary_factor"] = (static_cast<double>(rotated) + rounded) / static_cast<double>(features);
    const bool hasFactors = file.hasTensor(ggufFactors) || file.hasTensor(longFactors);
    Json scaling = hasFactors ? factorsOf(file, rotated / 2) : ggufScaling(file);
    if (!scaling.is_null())
        json["rope_scaling"] = std::move(scaling);
}

} // namespace attn
