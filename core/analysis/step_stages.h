// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/memory.h"
#include "trace/stage.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

// Stages of the way from a query to the output, in order.
enum class StepKind : std::uint8_t {
    Embedding, // of the row's token, in the first layer
    Compression, // latent attention
    LearnedQuery, // a weight of the model, the same for every text
    Query,
    HeadNorms, // of queries and keys
    Rotation, // rotary positions
    NoPositions, // a layer that does not rotate, of a model that does
    Keys,
    TanhLayer,
    Score, // of one key, feature by feature
    AllProducts,
    PositionParts, // products with positions, added to those with the keys
    Scaling,
    PositionBias,
    Cap,
    Discount, // intra-temporal attention
    Mask,
    Window, // local attention
    Sink, // one more score, whose weight goes nowhere
    Softmax,
    Gaussian,
    HardChoice,
    Edits,
    WeightedSum,
    ContextAndState,
    AttentionalState,
    Heads,
    OutputProjection,
    Residual, // what is added to the state
    ParallelBlocks, // likewise, with the feed-forward block beside the attention
};

// Meaning of the numbers of a stage.
enum class StepVector : std::uint8_t {
    ScoreVector,
    Embedding,
    ScaledEmbedding,
    LayerState, // what the layer reads and adds to
    State, // what the query is made of
    QueryLatent, // likewise, in few features
    KeyLatent, // what the row's own key and value are made of
    SharedKey, // features of the row's own key that are those of all heads
    Query,
    NormedQuery,
    Angles, // of pairs of features, radians
    RotatedQuery,
    OwnKey, // of the row's own token
    NormedKey, // likewise
    RotatedKey, // likewise
    ProjectedQuery,
    Annotations,
    Keys,
    Key, // the one that is looked at, as it is scored
    FeatureProducts, // of query and key, or of the tanh layer and v
    Products, // one per key
    ContentToPosition, // likewise
    PositionToContent, // likewise
    AllParts, // their sum
    TanhLayer,
    Scaled,
    Bias,
    Biased,
    Uncapped,
    Capped,
    Undiscounted,
    Discounted,
    Scores,
    Sink, // its score and its share
    Softmax,
    Weights,
    Values,
    Context,
    JointState,
    AttentionalState,
    Heads,
    Output,
    Added, // the output, normalised or scaled
    FeedForward,
    Sum, // the state and what is added to it
    NormedSum,
};

// One vector, or several below each other.
struct StageNumbers
{
    StepVector what = StepVector::Query;
    int rows = 1;
    int columns = 0;
    NumberVector<float> values; // [rows, columns]
    std::optional<int> marked = {}; // where rows or, of a single one, columns are keys: the one that is looked at
};

// One stage of a computation.
struct StepStage
{
    StepKind kind = StepKind::Query;
    std::vector<StageNumbers> numbers; // inputs first, the result last
    int width = 0; // Scaling: of the vectors that were multiplied
};

// The whole computation of one attention row, from the query to the output projection; `key` is the one that is looked
// at. A stage that this kind of attention does not have is left out. Empty when nothing was reported.
std::vector<StepStage> stepStages(const CellStages& reported, int key);

} // namespace attn
