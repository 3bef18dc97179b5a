// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"

#include <string_view>

namespace attn::test {

// The options that --decode gives: "greedy", "beam:4", "sample".
inline DecodingOptions searchOf(std::string_view text)
{
    DecodingOptions options;
    optionRow(decodingRows(), "decode").parse(options, text);
    return options;
}

} // namespace attn::test
