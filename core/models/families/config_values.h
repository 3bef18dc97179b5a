// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/model_info.h"
#include "nn/elementwise.h"

#include <optional>
#include <string_view>
#include <vector>

namespace attn {

// Values of config.json as the families read them, bounded so that no product of them overflows. Each throws
// Error{Format, Unsupported} naming file and field.

int requireSize(const JsonObject& config, std::string_view field);
int sizeOr(const JsonObject& config, std::string_view field, int fallback);
int requireLayers(const JsonObject& config, std::string_view field);
float epsilonOr(const JsonObject& config, std::string_view field, double fallback);
Activation activationOr(const JsonObject& config, std::string_view field, std::string_view fallback);
// hidden_act, hidden_activation, activation_function or activation, whichever is there first.
Activation readActivation(const JsonObject& config, std::string_view fallback);
double positiveOr(const JsonObject& config, std::string_view field, double fallback);

// The width of one of `heads` heads that share `width` features.
int headWidth(const JsonObject& config, std::string_view headsField, int heads, int width);

// Refuses `heads` heads of `width` features each, where the two are given apart, that no model has.
void checkHeads(const JsonObject& config, std::string_view widthField, int heads, int width);

// Refuses a setting that exists but cannot be run.
[[noreturn]] void refuseSetting(const JsonObject& config, std::string_view field, std::string_view problem,
                                std::string_view advice = {});

// The classes of id2label in order; empty where there is no such field. Throws Error{Format} for one without a name.
std::vector<std::string> readLabels(const JsonObject& config);

// Ids of a list, without those outside the vocabulary; none where there is no such field. Throws Error{Format}.
std::vector<TokenId> tokensOr(const JsonObject& config, std::string_view field, int vocabulary);

// The configuration, and which tokens start, end and pad an output where only that of its decoder says so.
JsonObject withTokensOf(const JsonObject& config, const JsonObject& decoder);

// Start token, end token, bad tokens and languages, as Hugging Face's configurations name them. Ids must lie within
// info.targetVocabulary. Throws Error{Format}.
void readTokenSettings(const JsonObject& config, ModelInfo& info);

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
