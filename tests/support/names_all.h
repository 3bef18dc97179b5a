// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace attn::test {

// Whether a message has all of these in it: files, fields, numbers.
inline bool namesAll(std::string_view message, std::initializer_list<std::string_view> parts)
{
    return std::ranges::all_of(parts, [message](std::string_view part) { return message.find(part) != message.npos; });
}

} // namespace attn::test
