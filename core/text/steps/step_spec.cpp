// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/step_spec.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace attn {

namespace {

std::size_t stepsInside(const Json& step, const std::string& field)
{
    const auto inner = step.is_object() ? step.find(field) : step.end();
    if (inner == step.end() || !inner->is_array())
        return 0;
    std::size_t steps = 0;
    for (const Json& other : *inner)
        steps += 1 + stepsInside(other, field);
    return steps;
}

} // namespace

void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value)
{
    throw Error(ErrorKind::Unsupported, spec.place(), fmt::format("the {} \"{}\" is not known", field, value));
}

std::vector<JsonObject> requireSteps(const JsonObject& spec, std::string_view field)
{
    if (stepsInside(spec.json(), std::string(field)) > mostSteps)
        spec.refuse(field, fmt::format("a list of at most {} steps, those of lists in it included", mostSteps));
    return spec.requireObjects(field, mostSteps);
}

Regex readPattern(const JsonObject& spec)
{
    const JsonObject pattern = spec.requireObject("pattern");
    if (pattern.has("String"))
        return Regex::literal(pattern.requireString("String"));
    if (pattern.has("Regex"))
        return {pattern.requireString("Regex"), spec.place()};
    spec.refuse("pattern", "a String or a Regex");
}

PrependScheme readPrependScheme(const JsonObject& spec)
{
    constexpr std::pair<std::string_view, PrependScheme> schemes[] = {
        {"always", PrependScheme::Always}, {"first", PrependScheme::First}, {"never", PrependScheme::Never}};
    if (spec.has("prepend_scheme"))
        return chosen(schemes, spec, "prepend_scheme", spec.requireString("prepend_scheme"));
    return spec.boolOr("add_prefix_space", true) ? PrependScheme::Always : PrependScheme::Never;
}

} // namespace attn
