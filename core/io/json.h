// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/memory.h"

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace attn {

using Json = nlohmann::json; // include <nlohmann/json.hpp> to look inside

struct JsonLimits
{
    Limit most = Limit::Json; // bytes
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max(); // where fewer are wanted whatever the limit
    std::optional<Limit> values = Limit::JsonValues;
    int depth = 64;
    bool uniqueKeys = false; // refuse an object that names a key twice
};

// Throws Error{Format} naming `where` for text that is not JSON or goes beyond the limits, Error{Resource} for more
// than the memory that there is, and Error{Cancelled} by ThreadStop.
Json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits = {});
Json readJson(const std::filesystem::path& path, const JsonLimits& limits = {}); // and Error{File}

// Text on one line; bytes that are not UTF-8 are replaced.
std::string writtenJson(const Json& json);

// A JSON object with checked access, a whole document or inside one. Every getter throws Error{Format}
// "config.json: encoder.layers: expected ..., found ..."; a field that is null counts as missing.
class JsonObject
{
public:
    explicit JsonObject(const std::filesystem::path& path, const JsonLimits& limits = {});
    JsonObject(Json document, std::string where);
    static JsonObject parse(std::string_view text, const std::string& where, const JsonLimits& limits = {});

    const std::string& where() const { return m_where; } // the file
    std::string place() const; // "tokenizer.json: normalizer.normalizers[1]"
    const Json& json() const { return *m_json; }
    bool has(std::string_view field) const { return find(field) != nullptr; }
    const Json* find(std::string_view field) const; // null where it is missing
    std::vector<std::string> fields() const; // sorted

    // An integer of the type of its limits.
    template<std::integral Integer>
    Integer requireInt(std::string_view field, std::type_identity_t<Integer> minimum, Integer maximum) const
    {
        return static_cast<Integer>(*integer(field, minimum, maximum, true));
    }
    template<std::integral Integer>
    std::optional<Integer> optionalInt(std::string_view field, std::type_identity_t<Integer> minimum,
                                       Integer maximum) const
    {
        const auto value = integer(field, minimum, maximum, false);
        return value ? std::optional(static_cast<Integer>(*value)) : std::nullopt;
    }
    double numberOr(std::string_view field, double fallback) const;
    bool boolOr(std::string_view field, bool fallback) const;
    std::string requireString(std::string_view field) const;
    std::string stringOr(std::string_view field, std::string fallback) const;
    // A list, described for the message.
    const Json& requireList(std::string_view field, std::string_view expected = "a list") const;
    JsonObject requireObject(std::string_view field) const;
    std::vector<JsonObject> requireObjects(std::string_view field, std::size_t most) const; // a list of them

    [[noreturn]] void refuse(std::string_view field, std::string_view expected) const;

private:
    JsonObject(std::shared_ptr<const Json> json, std::string where, std::string prefix);

    std::optional<std::int64_t> integer(std::string_view field, std::int64_t minimum, std::int64_t maximum,
                                        bool required) const;
    JsonObject inside(const Json& value, std::string prefix) const;

    std::shared_ptr<const Json> m_json;
    std::string m_where;
    std::string m_prefix; // "encoder." inside a nested object
};

// Value beside a text in a list of the two; null when the value is no such list.
const Json* besideText(const Json& value);

// A number of a list, where it is an integer from 0 to `maximum`.
std::optional<std::int64_t> integerFrom0(const Json& value, std::int64_t maximum);
template<std::integral Integer>
std::optional<Integer> indexIn(const Json& value, Integer maximum)
{
    const auto index = integerFrom0(value, maximum);
    return index ? std::optional(static_cast<Integer>(*index)) : std::nullopt;
}

} // namespace attn
