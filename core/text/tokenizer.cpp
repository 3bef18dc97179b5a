// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizer.h"

#include "base/error.h"

namespace attn {

Encoding Tokenizer::encodePair(std::string_view /*first*/, std::string_view /*second*/) const
{
    throw Error(ErrorKind::Input, "second text", "this model's tokenizer reads one text, not a pair", "leave it out");
}

} // namespace attn
