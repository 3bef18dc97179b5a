// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/json.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

// At least what a value, a list or object, and a text take while they are read, looked at and taken apart: values of a
// list have twice their place while it grows, and are moved to another one when the library ends it.
constexpr std::uint64_t bytesOfValue = 64;
constexpr std::uint64_t bytesOfContainer = 64;
constexpr std::uint64_t bytesOfText = 128;

constexpr std::size_t lettersPerLook = std::size_t{1} << 20U; // whether to stop
constexpr std::uint64_t valuesPerLook = 4096;

struct Contents
{
    std::uint64_t values = 0; // but the first of each list
    std::uint64_t containers = 0;
    std::uint64_t texts = 0;
};

// Counts, before the parser recurses over the text and asks for memory.
Contents contentsOf(std::string_view text, const std::string& where, int limit)
{
    Contents contents;
    int depth = 0;
    bool inString = false;
    std::size_t nextLook = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i >= nextLook) {
            ThreadStop::check();
            nextLook += lettersPerLook;
        }
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
            ++contents.texts;
        } else if (c == ',') {
            ++contents.values;
        } else if (c == '{' || c == '[') {
            ++contents.containers;
            if (++depth > limit)
                throw Error(ErrorKind::Format, where, fmt::format("is nested deeper than {} levels", limit));
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return contents;
}

// Makes the tree of a text. Refuses a key that its object has already where keys are to be unique: the library's own
// parser looks through all earlier members whenever an object ends, if it is to do so.
class TreeBuilder final : public nlohmann::json_sax<Json>
{
public:
    TreeBuilder(const std::string& where, bool uniqueKeys, Json& root)
        : m_where(where)
        , m_uniqueKeys(uniqueKeys)
        , m_root(root)
    {
    }

    std::optional<std::size_t> wrongByte() const { return m_wrongByte; } // where the text is no JSON

    bool null() override { return add({}); }
    bool boolean(bool truth) override { return add(truth); }
    bool number_integer(number_integer_t number) override { return add(number); }
    bool number_unsigned(number_unsigned_t number) override { return add(number); }
    bool number_float(number_float_t number, const string_t& /*spelled*/) override { return add(number); }
    bool string(string_t& text) override { return add(std::as_const(text)); } // its own place may be far larger
    bool binary(binary_t& /*bytes*/) override { return true; }
    bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
    bool end_object() override { return close(); }
    bool key(string_t& name) override
    {
        const auto [member, isNew] = m_open.back()->get_ref<Json::object_t&>().try_emplace(name);
        if (m_uniqueKeys && !isNew)
            throw Error(ErrorKind::Format, m_where, fmt::format("names \"{}\" twice", name));
        m_member = &member->second;
        return true;
    }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const nlohmann::detail::exception& error) override
    {
        if (dynamic_cast<const Json::parse_error*>(&error) == nullptr)
            throw Error(ErrorKind::Format, m_where, "is not valid JSON: it holds a number too large for a double");
        m_wrongByte = byte;
        return false;
    }

private:
    bool add(Json value)
    {
        place(std::move(value));
        return true;
    }

    bool open(Json empty)
    {
        m_open.push_back(&place(std::move(empty)));
        return true;
    }

    bool close()
    {
        m_open.pop_back();
        return true;
    }

    Json& place(Json value)
    {
        if (m_values++ % valuesPerLook == 0)
            ThreadStop::check();
        if (m_open.empty())
            return m_root = std::move(value);
        if (auto* const list = m_open.back()->get_ptr<Json::array_t*>())
            return list->emplace_back(std::move(value));
        return *m_member = std::move(value); // of a name that comes twice, the last counts
    }

    const std::string& m_where;
    bool m_uniqueKeys;
    Json& m_root;
    std::vector<Json*> m_open; // lists and objects, the innermost last
    Json* m_member = nullptr; // whose value comes next
    std::optional<std::size_t> m_wrongByte;
    std::uint64_t m_values = 0;
};

// Where the text is no JSON.
std::optional<std::size_t> parseStrictly(std::string_view text, const std::string& where, bool uniqueKeys, Json& root)
{
    root = nullptr;
    TreeBuilder tree(where, uniqueKeys, root);
    Json::sax_parse(text, &tree);
    return tree.wrongByte();
}

// Python writes numbers that are none as bare words. As texts they do no harm where nobody reads them, and are refused
// by name where a number is expected. Their places in the new text are appended to `places`.
std::string withQuotedWords(std::string_view text, std::vector<std::size_t>& places)
{
    constexpr std::array<std::string_view, 3> words = {"NaN", "Infinity", "-Infinity"};
    std::string result;
    result.reserve(text.size());
    bool inString = false;
    std::size_t nextLook = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (i >= nextLook) {
            ThreadStop::check();
            nextLook += lettersPerLook;
        }
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

// byte: from 1, of the first letter that is wrong. Other programs write NaN and infinity in ways of their own.
[[noreturn]] void refuseByte(std::string_view text, const std::string& where, std::size_t byte)
{
    constexpr auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::size_t last = std::min(byte, text.size());
    while (last < text.size() && isLetter(text[last]))
        ++last;
    std::size_t first = last;
    while (first > 0 && isLetter(text[first - 1]))
        --first;
    const std::string_view word = text.substr(first, last - first);
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    if (lower == "nan" || lower == "inf" || lower == "infinity")
        throw Error(ErrorKind::Format, where,
                    fmt::format("is not valid JSON: {} at byte {}, and JSON has no such number", word, first + 1));
    throw Error(ErrorKind::Format, where, fmt::format("is not valid JSON (byte {})", byte));
}

Json parse(std::string_view text, const std::string& where, bool uniqueKeys)
{
    Json root;
    const auto wrongByte = parseStrictly(text, where, uniqueKeys, root);
    if (!wrongByte)
        return root;
    std::vector<std::size_t> places;
    const std::string quoted = withQuotedWords(text, places);
    if (places.empty())
        refuseByte(text, where, *wrongByte);
    if (const auto byte = parseStrictly(quoted, where, uniqueKeys, root)) {
        const auto before = std::ranges::count_if(places, [&](std::size_t place) { return place < *byte; });
        refuseByte(text, where, *byte - std::min(*byte, std::size_t{2} * before));
    }
    return root;
}

std::uint64_t bytesOf(const JsonLimits& limits)
{
    return std::min(limits.bytes, limit(limits.most));
}

// Nothing where another limit would not help.
std::string adviceOf(const JsonLimits& limits)
{
    return limit(limits.most) < limits.bytes ? otherLimit(limits.most) : std::string();
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
    if (const std::uint64_t most = bytesOf(limits); text.size() > most)
        throw Error(ErrorKind::Format, where,
                    fmt::format("holds {} bytes of JSON, more than the {} that are read", text.size(), most),
                    adviceOf(limits));
    const Contents contents = contentsOf(text, where, limits.depth);
    if (limits.values && contents.values + contents.containers > limit(*limits.values))
        throw Error(ErrorKind::Format, where, fmt::format("holds more than {} values of JSON", limit(*limits.values)),
                    otherLimit(*limits.values));
    requireMemory(text.size() + contents.values * bytesOfValue + contents.containers * bytesOfContainer
                      + contents.texts * bytesOfText,
                  where);
    return parse(text, where, limits.uniqueKeys);
}

Json readJson(const std::filesystem::path& path, const JsonLimits& limits)
{
    const std::string text = readWholeFile(path, bytesOf(limits), adviceOf(limits));
    refuseByStart(std::as_bytes(std::span(text)), path.string());
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
