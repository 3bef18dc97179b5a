// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"

#include "base/error.h"

#include <fmt/format.h>
#include <string>

namespace attn {

namespace {

constexpr int largestSize = 1 << 24;
constexpr int mostLayers = 1024;

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

void refuseSetting(const JsonObject& config, std::string_view field, std::string_view problem, std::string_view advice)
{
    throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", config.where(), field), std::string(problem),
                std::string(advice));
}

} // namespace attn
