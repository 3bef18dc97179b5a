// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/step_spec.h"

#include "base/error.h"

#include <fmt/format.h>

namespace attn {

void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value)
{
    throw Error(ErrorKind::Unsupported, spec.place(), fmt::format("the {} \"{}\" is not known", field, value));
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
