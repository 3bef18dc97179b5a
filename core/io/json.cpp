// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/json.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

// At least what a value, a list or object, and a text take while they are read and looked at.
constexpr std::uint64_t bytesOfValue = 64;
constexpr std::uint64_t bytesOfContainer = 64;
constexpr std::uint64_t bytesOfText = 128;

// Before the parser recurses over it and asks for memory.
void checkSize(std::string_view text, const std::string& where, int limit)
{
    int depth = 0;
    bool inString = false;
    std::uint64_t needed = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
            needed += bytesOfText;
        } else if (c == ',') {
            needed += bytesOfValue;
        } else if (c == '{' || c == '[') {
            needed += bytesOfContainer;
            if (++depth > limit)
                throw Error(ErrorKind::Format, where, fmt::format("is nested deeper than {} levels", limit));
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    requireMemory(needed, where);
}

// Refuses a key that its object has already. Read in a pass of its own: the library's parser with a callback looks
// through all earlier members whenever an object ends.
class UniqueKeys final : public nlohmann::json_sax<Json>
{
public:
    explicit UniqueKeys(const std::string& where)
        : m_where(where)
    {
    }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
    bool start_object(std::size_t) override
    {
        m_objects.emplace_back();
        return true;
    }
    bool end_object() override
    {
        m_objects.pop_back();
        return true;
    }
    bool key(string_t& key) override
    {
        if (!m_objects.back().insert(key).second)
            throw Error(ErrorKind::Format, m_where, fmt::format("names \"{}\" twice", key));
        return true;
    }

private:
    const std::string& m_where;
    std::vector<std::set<std::string>> m_objects; // ordered: a file could choose names that hash alike
};

Json parseStrictly(std::string_view text, const std::string& where, const JsonLimits& limits)
{
    if (limits.uniqueKeys) {
        UniqueKeys keys(where);
        Json::sax_parse(text, &keys);
    }
    return Json::parse(text);
}

// Python writes numbers that are none as bare words. As texts they do no harm where nobody reads them, and are refused
// by name where a number is expected. Their places in the new text are appended to `places`.
std::string withQuotedWords(std::string_view text, std::vector<std::size_t>& places)
{
    constexpr std::array<std::string_view, 3> words = {"NaN", "Infinity", "-Infinity"};
    std::string result;
    bool inString = false;
    for (std::size_t i = 0; i < text.size();) {
        const auto word =
            std::ranges::find_if(words, [&](std::string_view known) { return text.substr(i).starts_with(known); });
        if (!inString && word != words.end()) {
            places.push_back(result.size());
            result.append("\"").append(*word).append("\"");
            i += word->size();
            continue;
        }
        if (text[i] == '"')
            inString = !inString;
        const bool isEscape = inString && text[i] == '\\' && i + 1 < text.size();
        result.append(text.substr(i, isEscape ? 2 : 1));
        i += isEscape ? 2 : 1;
    }
    return result;
}

[[noreturn]] void refuseByte(const std::string& where, std::size_t byte)
{
    throw Error(ErrorKind::Format, where, fmt::format("is not valid JSON (byte {})", byte));
}

Json parsePython(std::string_view text, const std::string& where, const JsonLimits& limits, std::size_t wrongByte)
{
    std::vector<std::size_t> places;
    const std::string quoted = withQuotedWords(text, places);
    if (places.empty())
        refuseByte(where, wrongByte);
    try {
        return parseStrictly(quoted, where, limits);
    } catch (const Json::parse_error& error) {
        const auto before = std::ranges::count_if(places, [&](std::size_t place) { return place < error.byte; });
        refuseByte(where, error.byte - std::min(error.byte, std::size_t{2} * before));
    }
}

bool isInteger(const Json& value, std::int64_t minimum, std::int64_t maximum)
{
    const bool fits = value.is_number_unsigned() ? std::in_range<std::int64_t>(value.get<std::uint64_t>())
                                                 : value.is_number_integer();
    return fits && value.get<std::int64_t>() >= minimum && value.get<std::int64_t>() <= maximum;
}

std::string shortened(const Json& value)
{
    constexpr std::size_t longest = 60;
    if (value.is_structured())
        return value.is_array() ? fmt::format("a list of {}", value.size()) : "an object";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > longest)
        text = text.substr(0, longest) + "...";
    return text;
}

} // namespace

Json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits)
{
    if (text.size() > limits.bytes)
        throw Error(ErrorKind::Format, where,
                    fmt::format("holds {} bytes of JSON, more than the {} that are read", text.size(), limits.bytes));
    checkSize(text, where, limits.depth);
    try {
        try {
            return parseStrictly(text, where, limits);
        } catch (const Json::parse_error& error) {
            return parsePython(text, where, limits, error.byte);
        }
    } catch (const Json::exception&) {
        throw Error(ErrorKind::Format, where, "is not valid JSON: it holds a number too large for a double");
    }
}

Json readJson(const std::filesystem::path& path, const JsonLimits& limits)
{
    const std::string text = readWholeFile(path, limits.bytes);
    if (const auto foreign = identifyByStart(std::as_bytes(std::span(text))))
        throw Error(ErrorKind::Format, path.string(), foreign->what, foreign->advice);
    return parseJson(text, path.string(), limits);
}

std::string writtenJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

JsonObject::JsonObject(const std::filesystem::path& path, const JsonLimits& limits)
    : JsonObject(readJson(path, limits), path.string())
{
}

JsonObject::JsonObject(Json document, std::string where)
    : JsonObject(std::make_shared<const Json>(std::move(document)), std::move(where), {})
{
}

JsonObject JsonObject::parse(std::string_view text, const std::string& where, const JsonLimits& limits)
{
    return {parseJson(text, where, limits), where};
}

JsonObject::JsonObject(std::shared_ptr<const Json> json, std::string where, std::string prefix)
    : m_json(std::move(json))
    , m_where(std::move(where))
    , m_prefix(std::move(prefix))
{
    if (!m_json->is_object())
        throw Error(ErrorKind::Format, place(), "expected a JSON object, found " + shortened(*m_json));
}

JsonObject JsonObject::inside(const Json& value, std::string prefix) const
{
    return {std::shared_ptr<const Json>(m_json, &value), m_where, std::move(prefix)};
}

std::string JsonObject::place() const
{
    return m_prefix.empty() ? m_where : m_where + ": " + m_prefix.substr(0, m_prefix.size() - 1);
}

const Json* JsonObject::find(std::string_view field) const
{
    const auto found = m_json->find(field);
    return found == m_json->end() || found->is_null() ? nullptr : &*found;
}

std::vector<std::string> JsonObject::fields() const
{
    std::vector<std::string> names;
    for (const auto& [key, value] : m_json->items())
        names.push_back(key);
    return names;
}

void JsonObject::refuse(std::string_view field, std::string_view expected) const
{
    const Json* value = find(field);
    throw Error(ErrorKind::Format, m_where,
                fmt::format("{}{}: expected {}, found {}", m_prefix, field, expected,
                            value == nullptr ? "nothing" : shortened(*value)));
}

std::optional<std::int64_t> JsonObject::integer(std::string_view field, std::int64_t minimum, std::int64_t maximum,
                                                bool required) const
{
    const Json* value = find(field);
    if (value == nullptr && !required)
        return std::nullopt;
    if (value == nullptr || !isInteger(*value, minimum, maximum))
        refuse(field, fmt::format("an integer from {} to {}", minimum, maximum));
    return value->get<std::int64_t>();
}

double JsonObject::numberOr(std::string_view field, double fallback) const
{
    const Json* value = find(field);
    if (value == nullptr)
        return fallback;
    if (!value->is_number() || !std::isfinite(value->get<double>()))
        refuse(field, "a number");
    return value->get<double>();
}

bool JsonObject::boolOr(std::string_view field, bool fallback) const
{
    const Json* value = find(field);
    if (value == nullptr)
        return fallback;
    if (!value->is_boolean())
        refuse(field, "true or false");
    return value->get<bool>();
}

std::string JsonObject::requireString(std::string_view field) const
{
    const Json* value = find(field);
    if (value == nullptr || !value->is_string())
        refuse(field, "a text");
    return value->get<std::string>();
}

std::string JsonObject::stringOr(std::string_view field, std::string fallback) const
{
    return has(field) ? requireString(field) : std::move(fallback);
}

const Json& JsonObject::requireList(std::string_view field, std::string_view expected) const
{
    const Json* value = find(field);
    if (value == nullptr || !value->is_array())
        refuse(field, expected);
    return *value;
}

JsonObject JsonObject::requireObject(std::string_view field) const
{
    const Json* value = find(field);
    if (value == nullptr || !value->is_object())
        refuse(field, "an object");
    return inside(*value, fmt::format("{}{}.", m_prefix, field));
}

std::vector<JsonObject> JsonObject::requireObjects(std::string_view field, std::size_t most) const
{
    const Json& list = requireList(field);
    if (list.size() > most)
        refuse(field, fmt::format("a list of at most {}", most));
    std::vector<JsonObject> result;
    for (const Json& entry : list)
        result.push_back(inside(entry, fmt::format("{}{}[{}].", m_prefix, field, result.size())));
    return result;
}

const Json* besideText(const Json& value)
{
    return value.is_array() && value.size() == 2 && value.front().is_string() ? &value.back() : nullptr;
}

std::optional<std::int64_t> integerFrom0(const Json& value, std::int64_t maximum)
{
    return isInteger(value, 0, maximum) ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

} // namespace attn
