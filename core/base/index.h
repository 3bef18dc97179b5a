// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <iterator>
#include <limits>

namespace attn {

// Number or place of tokens, rows, columns, heads, layers and steps. Signed, so that differences and counting
// down need no care; distances in memory are std::ptrdiff_t, inside the views of numbers.
using Index = int;

// Number of elements of anything that has a size.
template<typename Container>
constexpr Index indexSize(const Container& container)
{
    const auto size = std::ssize(container);
    assert(size <= std::numeric_limits<Index>::max());
    return static_cast<Index>(size);
}

} // namespace attn
