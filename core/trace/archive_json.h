// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy.h"

#include <filesystem>
#include <map>
#include <string>

namespace attn {

using NamedArrays = std::map<std::string, NpyArray>;

// The .json form of an archive (formats.md section 4): the same keys, arrays as nested lists, null for -inf and NaN.
std::string arraysToJson(const NamedArrays& arrays);
NamedArrays arraysFromJson(const std::filesystem::path& path);

} // namespace attn
