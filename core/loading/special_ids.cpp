// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/special_ids.h"

#include "io/json.h"
#include "text/tokenizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace attn {

namespace {

struct SpecialRow
{
    const char* name;
    const char* field; // of config.json
    std::optional<TokenId> NamedTokens::*own; // as the tokenizer knows it; null: it does not
    bool standsForText = false;
};
constexpr SpecialRow specialRows[] = {
    {"bos", "bos_token_id", &NamedTokens::bos},          {"eos", "eos_token_id", &NamedTokens::eos},
    {"pad", "pad_token_id", &NamedTokens::pad},          {"cls", "cls_token_id", &NamedTokens::cls},
    {"sep", "sep_token_id", &NamedTokens::sep},          {"unk", "unk_token_id", &NamedTokens::unk, true},
    {"mask", "mask_token_id", &NamedTokens::mask, true}, {"decoder_start", "decoder_start_token_id", nullptr},
    {"forced_bos", "forced_bos_token_id", nullptr},      {"forced_eos", "forced_eos_token_id", nullptr}};

void addId(const Json& value, std::vector<TokenId>& ids)
{
    if (const auto id = indexIn(value, std::numeric_limits<TokenId>::max()))
        ids.push_back(*id);
}

// One, or several in a list.
std::vector<TokenId> idsOf(const LoadedModel& model, const char* field)
{
    std::vector<TokenId> ids;
    const Json* const value = model.config ? model.config->find(field) : nullptr;
    if (value == nullptr)
        return ids;
    if (!value->is_array())
        addId(*value, ids);
    for (const Json& one : value->is_array() ? *value : Json::array())
        addId(one, ids);
    return ids;
}

} // namespace

std::vector<TokenId> specialIds(const LoadedModel& model)
{
    std::vector<TokenId> ids;
    for (const SpecialRow& row : specialRows) {
        if (!row.standsForText)
            std::ranges::copy(idsOf(model, row.field), std::back_inserter(ids));
    }
    return ids;
}

std::vector<NamedId> namedIds(const LoadedModel& model)
{
    std::vector<NamedId> named;
    const Tokenizers& sides = model.tokenizers;
    const Tokenizer* const tokenizer = sides.target ? sides.target.get() : sides.source.get();
    for (const SpecialRow& row : specialRows) {
        std::vector<TokenId> ids = idsOf(model, row.field);
        const bool asks = ids.empty() && tokenizer != nullptr && row.own != nullptr;
        if (const auto own = asks ? tokenizer->namedTokens().*row.own : std::nullopt)
            ids.push_back(*own);
        for (const TokenId id : ids)
            named.push_back({row.name, id, tokenizer != nullptr ? tokenizer->describe({&id, 1}).tokens.at(0) : ""});
    }
    return named;
}

std::optional<TokenId> sourceIdNamed(const LoadedModel& model, std::string_view name)
{
    const auto* const row = std::ranges::find(specialRows, name, &SpecialRow::name);
    if (row == std::end(specialRows))
        return std::nullopt;
    const auto& tokenizer = model.tokenizers.source;
    if (const auto own = tokenizer && row->own != nullptr ? tokenizer->namedTokens().*row->own : std::nullopt)
        return own;
    const std::vector<TokenId> ids = idsOf(model, row->field);
    return ids.empty() ? std::nullopt : std::optional(ids.front());
}

} // namespace attn
