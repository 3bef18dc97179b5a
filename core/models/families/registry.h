// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/families/family.h"

#include <span>

namespace attn {

// Every architecture that the program can run.
std::span<const Family> families();

// The family of a config.json. Throws Error{Unsupported} that names the known ones.
const Family& familyOf(const JsonObject& config);

} // namespace attn
