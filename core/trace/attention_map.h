// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"
#include "trace/map_source.h"
#include "trace/site.h"

#include <cstdint>
#include <memory>

namespace attn {

// Kind of the rows or columns of an encoder's map. A map that makes vectors of a text has rows that are no tokens: the
// text itself, hops (Lin et al. 2017) or sentences (Yang et al. 2016).
enum class AttentionAxis : std::uint8_t { Tokens, Text, Hops, Sentences };

// All heads of one site.
struct AttentionMap
{
    Site site;
    Index firstRow = 0;
    Numbers weights; // [heads, rows, columns]; empty where there is a source
    Numbers scores; // of the same shape; empty unless captured, and likewise
    AttentionAxis rowAxis = AttentionAxis::Tokens;
    AttentionAxis columnAxis = AttentionAxis::Tokens;
    std::shared_ptr<const MapSource> source = {}; // null: the numbers are above
    Numbers sinks = {}; // [heads, rows, 1], what each row's sink takes; empty: the model has none

    Index heads() const { return source ? source->heads() : weights.heads; }
    Index rows() const { return source ? source->rows() : weights.rows; }
    Index columns() const { return source ? source->columns() : weights.columns; }
    bool has(MapPart part) const { return source ? source->has(part) : !numbers(part).empty(); }
    const Numbers& numbers(MapPart part) const { return part == MapPart::Weights ? weights : scores; }
};

} // namespace attn
