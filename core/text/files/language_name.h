// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace attn {

// English name of a language by its code, with or without script and country: "French" of "fr", "fra_Latn" and "fr_XX".
// The code itself where it has none.
std::string languageName(std::string_view code);

} // namespace attn
