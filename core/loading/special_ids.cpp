// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/special_ids.h"

#include "io/json.h"
#include "io/model_config.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <system_error>

namespace attn {

namespace {

constexpr const char* specialFields[] = {"bos_token_id",        "eos_token_id",       "pad_token_id",
                                         "cls_token_id",        "sep_token_id",       "decoder_start_token_id",
                                         "forced_bos_token_id", "forced_eos_token_id"};

void addId(const Json& value, std::vector<TokenId>& ids)
{
    if (const auto id = indexIn(value, std::numeric_limits<TokenId>::max()))
        ids.push_back(*id);
}

} // namespace

std::vector<TokenId> specialIds(const LoadedModel& model)
{
    std::vector<TokenId> ids;
    std::error_code ignored;
    if (model.directory.empty() || !std::filesystem::exists(model.directory / "config.json", ignored))
        return ids;
    const JsonObject config = readModelConfig(model.directory);
    for (const char* field : specialFields) {
        const Json* value = config.find(field);
        if (value == nullptr)
            continue;
        if (!value->is_array())
            addId(*value, ids);
        for (const Json& one : value->is_array() ? *value : Json::array())
            addId(one, ids);
    }
    return ids;
}

} // namespace attn
