// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

// The values of an option that takes one of a few; empty for other options. The option's check, its help and the
// shell's completion read them here.
std::vector<std::string> choices(std::string_view option);
// The same as a help text: "light or dark".
std::string choicesText(std::string_view option);

} // namespace attn::app
