// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// An object inside a tokenizer's description, with checked access and its place for messages. Refers to the document,
// which must outlive it. A field that is null counts as missing. Getters throw Error{Format}.
class JsonSpec
{
public:
    JsonSpec(const Json& object, std::string where);

    const std::string& where() const { return m_where; }
    const Json& json() const { return *m_json; }
    bool has(std::string_view field) const { return find(field) != nullptr; }
    const Json& require(std::string_view field) const;
    JsonSpec object(std::string_view field) const;
    std::vector<JsonSpec> objects(std::string_view field) const; // of a list
    std::string text(std::string_view field) const;
    std::string textOr(std::string_view field, std::string fallback) const;
    bool flag(std::string_view field, bool fallback) const;
    std::int64_t integer(std::string_view field, std::int64_t minimum, std::int64_t maximum) const;

    [[noreturn]] void refuse(std::string_view field, std::string_view expected) const;
    // Throws Error{Unsupported} that names `value` of `field`.
    [[noreturn]] void unsupported(std::string_view field, std::string_view value) const;

private:
    const Json* find(std::string_view field) const;

    const Json* m_json;
    std::string m_where; // "tokenizer.json: normalizer"
};

} // namespace attn
