// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace attn {

// A whole text as a number, in any locale; none where it is something else or does not fit.
template<class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

} // namespace attn
