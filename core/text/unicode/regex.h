// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The searches of a thread share limit(Limit::RegexTime) as long as such an object lives, and its expressions that are
// compiled the number of sets that they may have; one inside another changes nothing. Whoever works on a text, or reads
// a tokenizer, has one, so that many short searches take no longer than one long search.
class RegexBudget
{
public:
    RegexBudget();
    ~RegexBudget();
    RegexBudget(const RegexBudget&) = delete;
    RegexBudget& operator=(const RegexBudget&) = delete;

private:
    bool m_isOutermost;
};

// A regular expression as tokenizer files have them (Oniguruma's and Rust's dialect, read by ICU).
class Regex
{
public:
    // Throws Error{Unsupported} naming `where` for an expression that ICU does not take, or not in time.
    Regex(std::string_view pattern, const std::string& where);
    // Matches the text literally.
    static Regex literal(std::string_view text);

    // Non-overlapping matches in UTF-8 text, from left to right. Throws Error{Resource} when the searches of the
    // thread's RegexBudget, or this one where there is none, take too long, and Error{Cancelled} by ThreadStop.
    std::vector<ByteSpan> matches(std::string_view text) const;

private:
    struct Compiled;
    explicit Regex(std::shared_ptr<const Compiled> compiled);

    std::shared_ptr<const Compiled> m_compiled;
};

} // namespace attn
