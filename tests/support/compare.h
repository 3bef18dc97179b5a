// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace attn::test {

// The largest absolute difference and where it is. NaN and infinities must stand at the same places.
struct Difference
{
    double largest = 0;
    std::size_t index = 0;

    std::string text() const { return std::to_string(largest) + " at index " + std::to_string(index); }
};

inline Difference compare(std::span<const float> found, std::span<const float> expected)
{
    if (found.size() != expected.size())
        return {INFINITY, std::min(found.size(), expected.size())};
    Difference difference;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool same = found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]));
        const double distance = same ? 0 : std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        if (distance > difference.largest || std::isnan(distance))
            difference = {std::isnan(distance) ? INFINITY : distance, i};
    }
    return difference;
}

// Whether a message has all of these in it: files, fields, numbers.
inline bool namesAll(std::string_view message, std::initializer_list<std::string_view> parts)
{
    return std::ranges::all_of(parts, [message](std::string_view part) { return message.find(part) != message.npos; });
}

} // namespace attn::test
