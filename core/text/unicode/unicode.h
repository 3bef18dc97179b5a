// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Throws Error{kind Input} saying at which byte `text` stops being UTF-8.
void requireUtf8(std::string_view text, const std::string& where);

// The byte at which `text` stops being UTF-8; its size when it does not.
std::size_t validUtf8Prefix(std::string_view text);

// Runs of characters that are not Unicode white space. Requires UTF-8.
std::vector<ByteSpan> splitAtWhitespace(std::string_view text);

} // namespace attn
