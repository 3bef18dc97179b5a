// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/query_key_scores.h"

#include "attention/positions.h"
#include "nn/elementwise.h"
#include "nn/matmul.h"

#include <algorithm>

namespace attn {

void QueryKeyScores::compute(Engine& engine, Index first, MutableView scores) const
{
    const Index sharing = queries.heads / keys.heads;
    const Index keyHeads = std::max<Index>(1, scores.heads / sharing);
    queryKeyProduct(engine, queries.headRange(first, scores.heads), keys.headRange(first / sharing, keyHeads), scale,
                    scores);
    if (positions != nullptr)
        positions->add(engine, *this, first, scores);
    if (cap > 0)
        capped(engine, scores.values(), cap);
}

QueryKeySizes QueryKeySizes::of(const QueryKeyScores& scores)
{
    const auto size = [](Index count) { return static_cast<std::uint64_t>(count); };
    const NumberView& queries = scores.queries;
    return {size(queries.heads), size(scores.keys.heads), size(queries.rows), size(scores.keys.rows),
            size(queries.columns)};
}

} // namespace attn
