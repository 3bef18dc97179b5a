// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

using Json = nlohmann::json; // include <nlohmann/json.hpp> to look inside

struct JsonLimits
{
    std::size_t bytes = std::size_t{64} << 20;
    int depth = 64;
    bool uniqueKeys = false; // refuse an object that names a key twice
};

// Throws Error{Format} naming `where` for text that is not JSON or goes beyond the limits.
Json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits = {});
Json readJson(const std::filesystem::path& path, const JsonLimits& limits = {}); // and Error{File}

// A JSON object with checked access. Every getter throws Error{Format} "config.json: encoder.layers: expected ...,
// found
// ..."; a field that is null counts as missing.
class JsonObject
{
public:
    explicit JsonObject(const std::filesystem::path& path, const JsonLimits& limits = {});
    static JsonObject parse(std::string_view text, const std::string& where, const JsonLimits& limits = {});

    const std::string& where() const { return m_where; }
    const Json& json() const { return *m_json; }
    bool has(std::string_view field) const;
    std::vector<std::string> fields() const; // sorted

    std::int64_t requireInt(std::string_view field, std::int64_t minimum, std::int64_t maximum) const;
    std::optional<std::int64_t> optionalInt(std::string_view field, std::int64_t minimum, std::int64_t maximum) const;
    double numberOr(std::string_view field, double fallback) const;
    bool boolOr(std::string_view field, bool fallback) const;
    std::string requireString(std::string_view field) const;
    std::string stringOr(std::string_view field, std::string fallback) const;
    JsonObject requireObject(std::string_view field) const;

    [[noreturn]] void refuse(std::string_view field, std::string_view expected) const;

private:
    JsonObject(std::shared_ptr<const Json> json, std::string where, std::string prefix);

    const Json* find(std::string_view field) const;

    std::shared_ptr<const Json> m_json;
    std::string m_where; // file
    std::string m_prefix; // "encoder." inside a nested object
};

} // namespace attn
