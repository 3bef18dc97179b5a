// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace attn {

// What an attention row passes through on its way from the query to the output, in this order. Which of these there are
// depends on the kind of attention.
enum class StageKind : std::uint8_t {
    Input, // [1, width]: what the query is made from
    QueryLatent, // [1, rank]: latent attention, what the query is made from
    KeyLatent, // [1, rank]: likewise, what the row's own key and value are made from
    Query, // [1, width], before rotary positions
    NormedQuery, // [1, width], where queries are normalised
    Summary, // [1, width]: the end of a query that is put together, what was read before
    RotatedQuery, // with rotary positions: what is scored
    ProjectedQuery, // W q
    Annotations, // [keys, width]: what projected keys are made from, where that is not the values
    Keys, // [keys, width] as they are scored
    ProjectedKeys, // likewise, where a layer makes them: W h, or U h + b of additive attention
    TanhLayer, // [keys, size]: tanh(W q + U h + b)
    ScoreVector, // [1, size]: v, which the tanh layer is multiplied with
    Products, // [1, keys]: query . key, unscaled
    ContentToPosition, // [1, keys]: query . position, added to the products (He et al. 2021)
    PositionToContent, // [1, keys]: position . key, likewise
    Scale, // [1, 1]
    PositionBias, // [1, keys]: added to the scaled products
    Capped, // [1, keys]: cap tanh(score / cap), where scores are capped
    Undiscounted, // [1, keys]: intra-temporal attention, the scores before those of earlier steps divide them
    Window, // [1, 2]: local attention, the key that the window lies around and the number of keys to each side
    Scores, // [1, keys]: what enters the softmax, -inf where masked
    Sink, // [1, 2]: one more score, and the share of the row that it takes
    Softmax, // [1, keys]
    Gaussian, // [1, keys]: multiplied by exp(-(j - p)^2 / (2 (D/2)^2))
    Choice, // [1, keys]: one key was chosen and has all the weight
    Edited, // [1, keys]: as the edits of the run left the weights
    Values, // [keys, width]
    Context, // [1, width]: the sum of the values, weighted by the last of the above
    Heads, // [1, heads * width]: the contexts of all heads, side by side
    JointState, // [1, width]: a decoder's context and state, side by side
    AttentionalState, // [1, width]: tanh(W_c [c; s])
    Output, // [1, width]: after the output projection
};

// A stage of the cell that a run is asked for, just computed: [rows, columns], valid during the call only.
struct StageBlock
{
    StageKind kind = StageKind::Query;
    NumberView values;
};

// What a run reported of the inside of one cell. Copies share the numbers.
class CellStages
{
public:
    void add(const StageBlock& block)
    {
        m_stages[block.kind] = std::make_shared<const Numbers>(Numbers::of(block.values));
    }

    bool empty() const { return m_stages.empty(); } // nothing was computed there
    bool has(StageKind kind) const { return m_stages.contains(kind); }
    // Null for a stage that this kind of attention does not have.
    const Numbers* find(StageKind kind) const
    {
        const auto found = m_stages.find(kind);
        return found == m_stages.end() ? nullptr : found->second.get();
    }
    // Empty for such a stage.
    std::span<const float> values(StageKind kind) const
    {
        const Numbers* const stage = find(kind);
        return stage == nullptr ? std::span<const float>() : std::span<const float>(stage->values);
    }
    // The weights that the values were summed with.
    std::span<const float> weights() const
    {
        for (const StageKind kind : {StageKind::Edited, StageKind::Choice, StageKind::Gaussian}) {
            if (has(kind))
                return values(kind);
        }
        return values(StageKind::Softmax);
    }

private:
    std::map<StageKind, std::shared_ptr<const Numbers>> m_stages;
};

} // namespace attn
