// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "text/unicode/regex.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Normalizers, pre-tokenizers and decoders are steps that tokenizer.json describes, {"type": "Lowercase"}; other files
// get theirs by such descriptions, too. What is common to reading them:

// A list has at most so many steps, those of lists in it included.
constexpr std::size_t mostSteps = 64;
// The steps of such a list. Throws Error{Format}.
std::vector<JsonObject> requireSteps(const JsonObject& spec, std::string_view field);

// Throws Error{Unsupported} that names `value` of `field`.
[[noreturn]] void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value);

// Value of the row with this name; refuses a name without one.
template<class Value, std::size_t Count>
const Value& chosen(const std::pair<std::string_view, Value> (&rows)[Count], const JsonObject& spec,
                    std::string_view field, std::string_view name)
{
    const auto found = std::ranges::find(rows, name, &std::pair<std::string_view, Value>::first);
    if (found == std::end(rows))
        refuseStep(spec, field, name);
    return found->second;
}

template<class Step>
std::vector<Step> readSteps(const JsonObject& spec, std::string_view field, Step (*read)(const JsonObject&))
{
    std::vector<Step> steps;
    for (const JsonObject& step : requireSteps(spec, field))
        steps.push_back(read(step));
    return steps;
}

// {"String": "..."} or {"Regex": "..."}.
Regex readPattern(const JsonObject& spec);

enum class PrependScheme : std::uint8_t { Always, First, Never };
// Older files have add_prefix_space, newer ones prepend_scheme.
PrependScheme readPrependScheme(const JsonObject& spec);

} // namespace attn
