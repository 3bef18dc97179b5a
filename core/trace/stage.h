// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace attn {

// Stages of an attention row on its way from a token to what the layer makes of it, in this order. Which of them there
// are depends on the kind of attention.
enum class StageKind : std::uint8_t {
    Embedding, // [1, width]: the token's row of the table; of the first layer alone
    EmbeddingScale, // [1, 1]: where embeddings are scaled
    State, // [1, width]: what the layer reads and adds to
    Input, // [1, width]: what the query is made from
    QueryLatent, // [1, rank]: latent attention, what the query is made from
    KeyLatent, // [1, rank]: likewise, what the row's own key and value are made from
    SharedKey, // [1, width]: likewise, the last features of the row's own key, which are those of all heads
    Query, // [1, width], before rotary positions
    NormedQuery, // [1, width], where queries are normalised
    OwnKey, // [1, width]: of the row's own token, where keys are normalised, rotated or made from a latent
    NormedKey, // [1, width], likewise
    Summary, // [1, width]: the end of a query that is put together, what was read before
    Rotation, // [1, 7]: features of a head that are turned, the first of them, all, the base, 1 where neighbours turn
              // together and 0 where each does with the one half of them further, a factor of what is turned (of YaRN
              // and LongRoPE), and one of the query at its position. No features are turned in a layer without
              // positions of a model whose other layers have them
    Angles, // [1, pairs]: radians by which pairs of the query's features are turned
    RotatedQuery, // with rotary positions: what is scored
    RotatedKey, // [1, width]: of the row's own token, likewise
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
    Cap, // [1, 1]: where scores are capped, what they come near to
    Capped, // [1, keys]: cap tanh(score / cap)
    Undiscounted, // [1, keys]: intra-temporal attention, the scores before those of earlier steps divide them
    Window, // [1, 2]: local attention, the key that the window lies around and the number of keys to each side
    Reach, // [1, 2]: the layer's window, the number of keys before and after the query's own
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
    Added, // [1, width]: the output normalised or scaled, where it is
    FeedForward, // [1, width]: of a layer whose feed-forward block reads what its attention reads
    Sum, // [1, width]: the state and all that is added to it
    NormedSum, // [1, width], where that is normalised
};

// A stage of the cell that a run is asked for, just computed: [rows, columns], valid during the call only.
struct StageBlock
{
    StageKind kind = StageKind::Query;
    NumberView values;
};

// Report of a run about the inside of one cell. Copies share the numbers.
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
