// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/model_info.h"

#include <string_view>
#include <vector>

namespace attn {

// A key of config.json that names another computation unless it has this value.
struct FixedKey
{
    std::string_view name;
    std::string_view value = {}; // as JSON; empty: whatever switches it off (false, 0, "", [] or {})
};

// Another name of a key that is read; where both are given they must agree.
struct KeyAlias
{
    std::string_view name;
    std::string_view of;
};

struct ConfigKeys;
struct Family;

// A configuration of its own inside that of a model made of several.
struct NestedConfig
{
    std::string_view name;
    std::string_view usualType; // model_type where it says none
    ModelKind kind = ModelKind::DecoderOnly; // of this part
    ConfigKeys (*also)() = nullptr; // keys that count before those of its family; null: none
};

// The keys of config.json that a family knows beyond those of every configuration. A null is a key that is missing.
struct ConfigKeys
{
    std::vector<std::string_view> read = {}; // by the family
    std::vector<std::string_view> silent = {}; // they change nothing that is computed
    std::vector<FixedKey> fixed = {};
    std::vector<KeyAlias> aliases = {};
    std::vector<NestedConfig> nested = {};
    ConfigKeys (*more)() = nullptr; // those that several families have in common
};

// Refuses a configuration that names another computation than that of its family: fixed keys with other values, or keys
// that are not known, are switched on and have names that speak of the network ("attention_temperature"); likewise the
// configurations nested in it. Throws Error{Unsupported} naming the keys.
void checkConfigKeys(const JsonObject& config, const Family& family);

} // namespace attn
