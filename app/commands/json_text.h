// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace attn::app {

// As standard output and lines in files have it: bytes that are not UTF-8 are replaced, and what a terminal would obey
// is spelled out. indent: how far a level is moved in; below 0 all is on one line.
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

} // namespace attn::app
