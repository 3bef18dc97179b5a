// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstddef>
#include <cstdint>

namespace attn {

// Form in which a run keeps its maps: numbers, or where that is possible and smaller, the queries and keys that they
// are computed from when they are asked for.
enum class MapForm : std::uint8_t { Numbers, QueriesAndKeys };

// Part of a map: the weights after the softmax, or the scores before it.
enum class MapPart : std::uint8_t { Weights, Scores };

// The maps of a site's heads, computed when they are asked for. Immutable; several threads may ask at once.
class MapSource
{
public:
    virtual ~MapSource() = default;

    virtual Index heads() const = 0;
    virtual Index rows() const = 0;
    virtual Index columns() const = 0;
    virtual bool has(MapPart part) const = 0; // scores: where they were captured
    virtual std::size_t bytes() const = 0; // that it keeps

    // Rows firstRow, firstRow + 1, ... of one head into `rows`, [1, any number, columns] without gaps. Throws
    // Error{Resource}.
    virtual void compute(MapPart part, Index head, Index firstRow, MutableView rows) const = 0;
};

} // namespace attn
