// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "models/families/family.h"
#include "models/model_info.h"
#include "models/transformer.h"
#include "models/weight_table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Names of an attention block's tensors below the layer's, without ".weight" and ".bias". Where the projections are one
// tensor, `query` names it and key and value are empty.
struct AttentionNames
{
    std::string query;
    std::string key;
    std::string value;
    std::string output;
    std::string norm;
};

struct LayerNames
{
    AttentionNames self;
    AttentionNames cross;
    std::string first; // of the feed-forward block
    std::string second;
    std::string gate; // empty: none
    std::string norm; // of the feed-forward block
};

// The layers of one stack as data.
struct LayerPlan
{
    std::string prefix; // "encoder.layers.", before the layer's number
    LayerNames names;
    int layers = 0;
    int width = 0; // of the hidden states
    int memoryWidth = 0; // of the encoder's; 0: no cross attention
    HeadShape shape;
    int feedForwardWidth = 0;
    Activation activation = Activation::Relu;
    bool rmsNorm = false; // else layer normalisation
    NormPlace place = NormPlace::After;
    float epsilon = 1e-5F;
    bool inputBias = true; // query, key and value
    bool outputBias = true; // attention output
    bool feedForwardBias = true;
    bool convolutions = false; // GPT-2's Conv1D: matrices are [inputs, outputs]
    std::vector<float> scales; // of the scores, by layer; empty: 1 / sqrt(head width)
    std::vector<int> windows; // by layer; empty: none
    std::shared_ptr<const RotaryPositions> rotary; // of self-attention
    Weight<std::shared_ptr<const RelativePositions>> relative; // of self-attention; empty: none
};

Weight<std::vector<TransformerLayer>> declareLayers(WeightTable& table, const LayerPlan& plan);

// Reads what stands around the input, one part after the other: a part that cannot be read (cancelled, damaged) finds
// all before it in variables of their own, since GCC 12 destroys parts of a nested aggregate twice.
TransformerStack readStack(WeightReader& reader, TokenInput input, const Weight<std::vector<TransformerLayer>>& layers,
                           const std::optional<Weight<Norm>>& finalNorm);

// What is known of a model from its layers: at least one of the plans, null for a stack that it does not have.
// Positions, vocabularies and tokens are the family's to add.
ModelInfo describeLayers(const JsonObject& config, const LayerPlan* encoder, const LayerPlan* decoder,
                         const WeightReader& reader);

// A decoder-only family's tensors outside the layers, without ".weight".
struct DecoderNames
{
    std::string prefix; // of all but the output
    std::string words;
    std::string positions; // of a learned table; empty: none
    std::string finalNorm;
    std::string output;
};

// Builds a decoder-only model. positions: rows of the learned table, if there is one. tied: whether words and output
// are one matrix where config.json does not say. Throws Error{Format, Unsupported, Cancelled}.
FamilyOutput buildDecoder(const FamilyInput& input, const LayerPlan& plan, const DecoderNames& names, bool tied,
                          Positions scheme, std::optional<int> positions = {});

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

} // namespace attn
