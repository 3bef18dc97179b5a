// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace attn {

// A whole text as a finite number, in any locale; none where it is something else or does not fit. Words such as nan
// are not given to libstdc++ 12, which reads them beyond their end.
template<class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    if (text.size() == sign || std::string_view("0123456789.").find(text[sign]) == std::string_view::npos)
        return std::nullopt;
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

} // namespace attn
