// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "models/families/family.h"
#include "models/model_info.h"
#include "models/transformer.h"
#include "models/weight_table.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Names of an attention block's tensors below the layer's, without ".weight" and ".bias". Where the projections are one
// tensor, `query` names it and key and value are empty; where those of keys and values are one, `key` names it.
struct AttentionNames
{
    std::string query;
    std::string key;
    std::string value;
    std::string output;
    std::string norm; // of the input or of the sum; of the output where that alone is normalised; empty: none
    std::string outputNorm = {}; // of the output, too
    std::string queryNorm = {}; // empty: queries and keys are not normalised
    std::string keyNorm = {};
    std::string sinks = {}; // the whole name; empty: none
    std::string scales = {}; // the whole name of LayerScale's, of each feature of the block's output; empty: none
};

// Division of a fused tensor of queries, keys and values: into the three, or for each head of keys into the queries
// that share it, its key and its value.
enum class FusedOrder : std::uint8_t { Sides, Heads };
// The order of GPT-NeoX, BLOOM and Falcon: by heads, which llama.cpp sorts.
FusedOrder fusedOrder(const Checkpoint& checkpoint);

struct LayerNames
{
    AttentionNames self;
    AttentionNames cross;
    std::string first; // of the feed-forward block
    std::string second;
    std::string gate; // empty: none; as `first`: one matrix, the gate's rows first
    std::string norm; // of the feed-forward block; empty: none
    std::string outputNorm = {}; // likewise, as of AttentionNames
    std::string scales = {}; // likewise
};

// Experts of a layer as data.
struct ExpertsPlan
{
    // Form in which their matrices are stored; settleExperts() looks which it is.
    enum class Stored : std::uint8_t {
        Apart, // prefix.N.first, gate, second
        Stacked, // prefix.first [experts, width, inputs], gate, second
        Fused, // prefix.gate_up_proj [experts, 2 width, inputs], the gate's rows first, and prefix.down_proj
        Interleaved, // prefix.gate_up_proj [experts, inputs, 2 width], gate and other columns in turn, with biases
        Mxfp4, // the same as rows of blocks of four-bit values and their scales
    };

    std::string router; // below the layer's prefix
    std::string prefix; // "mlp.experts"
    std::string first = "up_proj"; // of one expert
    std::string gate = "gate_proj";
    std::string second = "down_proj";
    std::string shared = {}; // "mlp.shared_experts": a perceptron that always works; empty: none
    std::string correction = {}; // tensor of the router's correction; empty: none
    int count = 0;
    int width = 0; // of what one expert makes of a position
    int sharedWidth = 0;
    bool routerBias = false;
    bool bias = false; // of each expert's matrices, where they are stacked
    Stored stored = Stored::Apart;
    std::optional<ClampedGate> clamped = {};
    Routing routing = {};
    std::vector<bool> layers = {}; // that have experts; empty: all

    bool isIn(int layer) const { return layers.empty() || layers.at(static_cast<std::size_t>(layer)); }
};

// Latent attention as data: names below the layer's prefix.
struct LatentPlan
{
    std::string queryDown; // empty: queries are not compressed
    std::string queryNorm;
    std::string keyDown;
    std::string keyNorm;
    int queryRank = 0;
    int keyRank = 0;
    int sharedWidth = 0; // features of a key that all heads share, the last
    int valueWidth = 0; // of one head
    bool bias = false; // of both layers down
};

// The layers of one stack as data.
struct LayerPlan
{
    std::string prefix; // "encoder.layers.", before the layer's number
    std::vector<std::string> prefixes = {}; // whole ones, by layer, where they are not that; empty: they are
    LayerNames names;
    int layers = 0;
    int width = 0; // of the hidden states
    int memoryWidth = 0; // of the encoder's; 0: no cross attention
    HeadShape shape;
    int feedForwardWidth = 0;
    Activation activation = Activation::Relu;
    NormKind norm = NormKind::Layer;
    NormPlace place = NormPlace::After;
    bool parallel = false; // attention and feed-forward block side by side
    bool passesNormed = false; // as of Residual
    float residualScale = 1; // likewise
    float epsilon = 1e-5F;
    bool inputBias = true; // query, key and value
    bool keyBias = true; // where there is an input bias
    bool outputBias = true; // attention output
    bool feedForwardBias = true;
    bool convolutions = false; // GPT-2's Conv1D: matrices are [inputs, outputs]
    FusedOrder fused = FusedOrder::Sides; // where one tensor holds queries, keys and values
    std::vector<float> scales; // of the scores, by layer; empty: 1 / sqrt(head width)
    float cap = 0; // of the scores; 0: none
    std::vector<int> windows; // by layer, 0: none; empty: none anywhere
    std::vector<std::vector<Index>> pruned; // heads, by layer; empty: none
    std::vector<std::shared_ptr<const RotaryPositions>> rotary; // of self-attention, by layer, null: none; or empty
    Weight<std::shared_ptr<const PositionScores>> positions; // of self-attention in all layers; empty: none
    // The same of each layer, which declares its own; empty: none.
    std::function<Weight<std::shared_ptr<const PositionScores>>(WeightTable&, const std::string& layer)> layerPositions;
    std::optional<ExpertsPlan> experts;
    std::optional<LatentPlan> latent;
    int normlessLayer = -1; // whose attention does not normalise its input
    bool wholeHeadNorms = false; // queries and keys are normalised before they are parted into heads

    // The same rotary positions, or none, in all layers.
    void rotateAll(const RotarySettings& settings);
};

Weight<std::vector<TransformerLayer>> declareLayers(WeightTable& table, const LayerPlan& plan);

// The experts of one layer of the plan. layer: what its tensors' names begin with.
Weight<Experts> declareExperts(WeightTable& table, const LayerPlan& plan, const std::string& layer);
// Finds out how the experts are stored. Throws Error{Format} where they are there in two ways.
void settleExperts(const Checkpoint& checkpoint, LayerPlan& plan);

// Reads what stands around the input, one part after the other: a part that cannot be read (cancelled, damaged) finds
// all before it in variables of their own, since GCC 12 destroys parts of a nested aggregate twice.
TransformerStack readStack(WeightReader& reader, TokenInput input, const Weight<std::vector<TransformerLayer>>& layers,
                           const std::optional<Weight<Norm>>& finalNorm);

// Facts of a model, from its layers: at least one of the plans, null for a stack that it does not have.
// Positions, vocabularies and tokens are the family's to add.
ModelInfo describeLayers(const JsonObject& config, const LayerPlan* encoder, const LayerPlan* decoder,
                         const WeightReader& reader);

// A decoder-only family's tensors outside the layers, without ".weight". Empty: none.
struct DecoderNames
{
    std::string prefix; // of all but the output
    std::string words;
    std::string positions; // of a learned table
    std::string finalNorm;
    std::string output;
    std::string embeddingNorm = {};
    std::string headTransform = {}; // between the final norm and the output
    std::string headNorm = {}; // likewise, after the transform
    std::string projectIn = {}; // where words are narrower than the layers
    std::string projectOut = {};
};

// A decoder-only model as data.
struct DecoderPlan
{
    LayerPlan layers;
    DecoderNames names;
    Positions scheme;
    bool tied = false; // whether words and output are one matrix where config.json does not say
    std::optional<int> positions = {}; // that the learned table has rows for
    int positionOffset = 0; // its row for the first
    float embeddingScale = 1;
    float logitScale = 1;
    float logitCap = 0; // as of OutputHead
    bool outputBias = false;
    bool transformBias = false; // of the head's transform
    Activation headActivation = Activation::Gelu; // likewise
    int wordWidth = 0; // 0: as wide as the layers
    std::string tokenHead = "score"; // that classifies each token
};

// Builds a decoder-only model. Throws Error{Format, Unsupported, Cancelled}.
FamilyOutput buildDecoder(const FamilyInput& input, DecoderPlan plan);

// The names that llama.cpp gives to what is outside a decoder's layers.
std::vector<GgufName> ggufWhole(const DecoderNames& names);

// The names that llama.cpp gives to a layer's tensors.
std::vector<GgufName> ggufLayer(const LayerNames& names, NormPlace place);

// The first of several names that the checkpoint has; the first of all when it has none.
std::string firstStored(const Checkpoint& checkpoint, const std::vector<std::string>& names);

// The matrices that read tokens and write them; tied, they are one, stored under any of the names of either.
struct TokenTables
{
    std::string embedding;
    std::string output;
};

TokenTables tokenTables(const Checkpoint& checkpoint, std::vector<std::string> embedding,
                        const std::vector<std::string>& output, bool tied);

// Refuses weights that were saved from a base model: the words' table is there, the matrix that makes logits is not.
void requireOutput(const Checkpoint& checkpoint, const std::string& words, const std::string& output,
                   const Shape& shape);

// GPT-2's layers under their own names, without cross attention. Throws Error{Format, Unsupported}.
LayerPlan readGpt2Layers(const JsonObject& config);

// Names of a layer's tensors, those of cross attention included.
LayerNames bartLayerNames();
// Layers that are named as BART's are. side: "encoder" or "decoder"; activation: where the configuration does not say.
// Throws Error{Format, Unsupported}.
LayerPlan readBartLayers(const JsonObject& config, const std::string& side, std::string_view activation);

// Heads that a model does without (Michel et al. 2019), by layer; empty: none. {"0": [1], "2": [0, 3]} in pruned_heads
// of config.json. Throws Error{Format}.
std::vector<std::vector<Index>> readPrunedHeads(const JsonObject& config, int layers, int heads);

// A checkpoint whose matrices lack the features of pruned heads, as if it had them: they are zeros. Heads keep their
// numbers. The checkpoint itself where none are pruned.
std::shared_ptr<const Checkpoint> withAllHeads(std::shared_ptr<const Checkpoint> stored, const LayerPlan& plan);

} // namespace attn
