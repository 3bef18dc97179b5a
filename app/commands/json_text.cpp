// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/json_text.h"

#include "base/shown_text.h"

#include <nlohmann/json.hpp>

namespace attn::app {

std::string jsonText(const nlohmann::ordered_json& json, int indent)
{
    return escapedJson(json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace attn::app
