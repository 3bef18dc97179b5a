// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_spec.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <utility>

namespace attn {

JsonSpec::JsonSpec(const Json& object, std::string where)
    : m_json(&object)
    , m_where(std::move(where))
{
    if (!object.is_object())
        throw Error(ErrorKind::Format, m_where, fmt::format("expected an object, found {}", object.type_name()));
}

const Json* JsonSpec::find(std::string_view field) const
{
    const auto found = m_json->find(field);
    return found == m_json->end() || found->is_null() ? nullptr : &*found;
}

void JsonSpec::refuse(std::string_view field, std::string_view expected) const
{
    const Json* value = find(field);
    throw Error(
        ErrorKind::Format, m_where,
        fmt::format("{}: expected {}, found {}", field, expected, value == nullptr ? "nothing" : value->type_name()));
}

void JsonSpec::unsupported(std::string_view field, std::string_view value) const
{
    throw Error(ErrorKind::Unsupported, m_where, fmt::format("the {} \"{}\" is not known", field, value));
}

const Json& JsonSpec::require(std::string_view field) const
{
    const Json* value = find(field);
    if (value == nullptr)
        refuse(field, "a value");
    return *value;
}

JsonSpec JsonSpec::object(std::string_view field) const
{
    const Json* value = find(field);
    if (value == nullptr || !value->is_object())
        refuse(field, "an object");
    return {*value, fmt::format("{}: {}", m_where, field)};
}

std::vector<JsonSpec> JsonSpec::objects(std::string_view field) const
{
    constexpr std::size_t mostSteps = 64;
    const Json* value = find(field);
    if (value == nullptr || !value->is_array())
        refuse(field, "a list");
    if (value->size() > mostSteps)
        throw Error(ErrorKind::Format, m_where,
                    fmt::format("{} lists {} steps, more than the {} that are read", field, value->size(), mostSteps));
    std::vector<JsonSpec> result;
    for (std::size_t i = 0; i < value->size(); ++i)
        result.emplace_back((*value)[i], fmt::format("{}: {}[{}]", m_where, field, i));
    return result;
}

std::string JsonSpec::text(std::string_view field) const
{
    const Json* value = find(field);
    if (value == nullptr || !value->is_string())
        refuse(field, "a text");
    return value->get<std::string>();
}

std::string JsonSpec::textOr(std::string_view field, std::string fallback) const
{
    return has(field) ? text(field) : std::move(fallback);
}

bool JsonSpec::flag(std::string_view field, bool fallback) const
{
    const Json* value = find(field);
    if (value == nullptr)
        return fallback;
    if (!value->is_boolean())
        refuse(field, "true or false");
    return value->get<bool>();
}

std::int64_t JsonSpec::integer(std::string_view field, std::int64_t minimum, std::int64_t maximum) const
{
    const Json* value = find(field);
    const bool fits = value != nullptr
        && (value->is_number_unsigned() ? value->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                                        : value->is_number_integer());
    if (!fits || value->get<std::int64_t>() < minimum || value->get<std::int64_t>() > maximum)
        refuse(field, fmt::format("an integer from {} to {}", minimum, maximum));
    return value->get<std::int64_t>();
}

} // namespace attn
