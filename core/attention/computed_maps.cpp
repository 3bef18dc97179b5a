// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/computed_maps.h"

#include "nn/engine.h"
#include "nn/normalization.h"

#include <utility>

namespace attn {

ComputedMaps::ComputedMaps(const QueryKeyScores& scores, std::shared_ptr<const PositionScores> positions,
                           const AttentionCall& call, bool capturesScores)
    : m_queries(Numbers::of(scores.queries))
    , m_keys(Numbers::of(scores.keys))
    , m_scale(scores.scale)
    , m_cap(scores.cap)
    , m_positions(std::move(positions))
    , m_mask(call.mask)
    , m_window(call.window)
    , m_sinks(call.sinks.begin(), call.sinks.end())
    , m_firstRow(call.firstRow)
    , m_capturesScores(capturesScores)
{
}

void ComputedMaps::compute(MapPart part, Index head, Index firstRow, MutableView rows) const
{
    // An engine is used by one thread at a time; what it makes oneDNN keeps for the next.
    Engine engine(1);
    const int position = m_firstRow + firstRow;
    const QueryKeyScores scores{
        m_queries.view().rowRange(firstRow, rows.rows), m_keys, m_scale, m_positions.get(), position, m_cap};
    scores.compute(engine, head, rows);
    applyMask(m_mask, rows, position, m_window);
    if (part != MapPart::Weights)
        return;
    if (m_sinks.empty())
        return softmax(engine, rows);
    softmaxWithSinks(engine, rows, std::span(m_sinks).subspan(head, rows.heads), {});
    spreadNoNumbers(rows);
}

} // namespace attn
