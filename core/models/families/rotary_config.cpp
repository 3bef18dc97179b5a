// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/rotary_config.h"

#include "models/families/config_values.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

constexpr std::pair<std::string_view, RotaryScaling> kinds[] = {{"default", RotaryScaling::None},
                                                                {"linear", RotaryScaling::Linear},
                                                                {"dynamic", RotaryScaling::Dynamic},
                                                                {"llama3", RotaryScaling::Llama3},
                                                                {"yarn", RotaryScaling::Yarn}};

RotaryScaling kindOf(const JsonObject& scaling)
{
    const std::string name = scaling.stringOr("rope_type", scaling.stringOr("type", "default"));
    for (const auto& [known, kind] : kinds) {
        if (known == name)
            return kind;
    }
    refuseSetting(scaling, "rope_type", fmt::format("'{}' is not supported", name),
                  "default, linear, dynamic, llama3 and yarn are");
}

double positive(const JsonObject& config, std::string_view field, double fallback)
{
    const double value = config.numberOr(field, fallback);
    if (!(value > 0) || !std::isfinite(value))
        config.refuse(field, "a number above 0");
    return value;
}

double factorOf(const JsonObject& scaling)
{
    if (!scaling.has("factor"))
        scaling.refuse("factor", "a number above 0");
    return positive(scaling, "factor", 1);
}

// Peng et al. 2023, section 3.4, with DeepSeek's variant for models that name mscale.
double yarnMagnitude(const JsonObject& scaling, double factor)
{
    if (scaling.has("attention_factor"))
        return positive(scaling, "attention_factor", 1);
    const auto temperature = [factor](double scale) { return factor <= 1 ? 1.0 : 0.1 * scale * std::log(factor) + 1; };
    if (scaling.numberOr("mscale", 0) != 0 && scaling.numberOr("mscale_all_dim", 0) != 0)
        return temperature(scaling.numberOr("mscale", 0)) / temperature(scaling.numberOr("mscale_all_dim", 0));
    return temperature(1);
}

void readScaling(const JsonObject& scaling, RotarySettings& result)
{
    result.scaling = kindOf(scaling);
    if (result.scaling == RotaryScaling::None)
        return;
    result.factor = factorOf(scaling);
    result.originalPositions = sizeOr(scaling, "original_max_position_embeddings", result.maximumPositions);
    if (result.scaling == RotaryScaling::Llama3) {
        result.lowFrequencyFactor = positive(scaling, "low_freq_factor", 1);
        result.highFrequencyFactor = positive(scaling, "high_freq_factor", 4);
        if (result.highFrequencyFactor <= result.lowFrequencyFactor)
            scaling.refuse("high_freq_factor", "a number above low_freq_factor");
    }
    if (result.scaling == RotaryScaling::Yarn) {
        result.fastRotations = positive(scaling, "beta_fast", 32);
        result.slowRotations = positive(scaling, "beta_slow", 1);
        result.wholeRotations = scaling.boolOr("truncate", true);
        result.magnitude = yarnMagnitude(scaling, result.factor);
    }
}

} // namespace

RotarySettings readRotary(const JsonObject& config, int headWidth)
{
    RotarySettings result;
    result.maximumPositions = sizeOr(config, "max_position_embeddings", 2048);
    result.base = positive(config, "rope_theta", 10000);
    double part = positive(config, "partial_rotary_factor", 1);
    for (const char* field : {"rope_scaling", "rope_parameters"}) {
        if (!config.has(field))
            continue;
        const JsonObject scaling = config.requireObject(field);
        result.base = positive(scaling, "rope_theta", result.base);
        part = positive(scaling, "partial_rotary_factor", part);
        readScaling(scaling, result);
    }
    result.width = static_cast<int>(headWidth * part);
    if (part > 1 || result.width % 2 != 0 || result.width < 2
        || (result.scaling == RotaryScaling::Dynamic && result.width < 4))
        refuseSetting(config, "head_dim",
                      fmt::format("{} features of a head cannot be rotated in pairs", result.width));
    return result;
}

std::string describeRotary(const RotarySettings& settings)
{
    for (const auto& [name, kind] : kinds) {
        if (kind == settings.scaling && kind != RotaryScaling::None)
            return fmt::format("rotary, {} scaling by {}", name, settings.factor);
    }
    return "rotary";
}

} // namespace attn
