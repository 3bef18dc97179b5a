// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A regular expression as tokenizer files have them (Oniguruma's and Rust's dialect, read by ICU).
class Regex
{
public:
    // Throws Error{Unsupported} naming `where` for an expression that ICU does not take.
    Regex(std::string_view pattern, const std::string& where);
    // Matches the text literally.
    static Regex literal(std::string_view text);

    // Non-overlapping matches in UTF-8 text, from left to right. Throws Error{Resource} when the search takes too long.
    std::vector<ByteSpan> matches(std::string_view text) const;

private:
    struct Compiled;
    explicit Regex(std::shared_ptr<const Compiled> compiled);

    std::shared_ptr<const Compiled> m_compiled;
};

} // namespace attn
