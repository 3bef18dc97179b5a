// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"

#include <functional>
#include <string>
#include <vector>

namespace attn {

// Turns pieces back into text, in place: one text per piece, possibly only part of a character. The steps are those of
// Hugging Face's `tokenizers`, under the same names.
using TokenDecoder = std::function<void(std::vector<std::string>&)>;

// Throws Error{Format, Unsupported}.
TokenDecoder readTokenDecoder(const JsonObject& spec);
TokenDecoder spaceDecoder(); // blanks between pieces

} // namespace attn
