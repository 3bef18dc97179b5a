// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/families/family.h"

#include <span>
#include <string_view>
#include <vector>

namespace attn {

// Every architecture that the program can run.
std::vector<Family> families();

// Null for a type that is not known.
const Family* findFamily(std::string_view modelType);

// The family of a config.json. Throws Error{Unsupported} that names the known ones.
const Family& familyOf(const JsonObject& config);

// The architectures whose GGUF files are read.
std::vector<GgufLayout> ggufLayouts();

} // namespace attn
