// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <string_view>
#include <vector>

namespace attn {

// The sentences of a text, without the white space around them: cut at line feeds and after . ? ! … (and closing quotes
// and brackets behind them) that white space follows. Sentences of nothing but white space are left out.
std::vector<ByteSpan> sentencesOf(std::string_view text);

} // namespace attn
