// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/task_head.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Names of the encoder-only families; the network is the same. Empty: none.
struct BertNames
{
    std::string prefix; // of the base model
    LayerNames layer;
    std::string layers;
    std::string headTransform;
    std::string headNorm;
    std::vector<std::string> headBias; // one of these
    std::vector<std::string> headWeight; // where it is not the embedding
    std::string words = "embeddings.word_embeddings";
    std::string positions = "embeddings.position_embeddings";
    std::string segments = "embeddings.token_type_embeddings";
    std::string tasks = "embeddings.task_type_embeddings";
    std::string norm = "embeddings.LayerNorm"; // of the embeddings
    std::string finalNorm = {};
    std::string projection = "embeddings_project"; // where embeddings are narrower than the layers
    // Heads by TaskHead, of the whole text, of each token and of a span.
    TaskNames ofText = {.dense = "pooler.dense", .activation = Activation::Tanh};
    TaskNames ofTokens = {};
    TaskNames ofSpan = {.logits = "qa_outputs"};
};

// An encoder-only configuration, whatever its fields are called.
struct BertPlan
{
    BertNames names;
    LayerPlan layers;
    int embeddingWidth = 0;
    int vocabulary = 0;
    int positions = 0; // rows of the table; 0: none
    int segments = 0; // rows of the table; 0: none
    int tasks = 0; // likewise
    Activation headActivation = Activation::Gelu;
    std::optional<TokenId> padding; // positions are counted from behind it
    std::optional<TokenId> dropped; // as of TokenInput
    bool tied = true;
    Pooling pooling = Pooling::First;
    bool headBias = true; // of the transform
    bool projectionBias = true; // of what maps narrow embeddings in
    Positions scheme = {PositionScheme::Learned};
    std::vector<int> order; // as of TransformerStack
    int layersOfState = 1; // likewise
    // DeBERTa's convolution; empty: none.
    std::function<Weight<ConvolutionBeside>(WeightTable&, const LayerPlan& layers)> beside = {};

    // Positions that a text can have; none: any number.
    std::optional<int> maximumLength() const;
};

// Names of a configuration's fields.
struct BertFields
{
    const char* width = "hidden_size";
    const char* layers = "num_hidden_layers";
    const char* heads = "num_attention_heads";
    const char* feedForwardWidth = "intermediate_size";
    const char* activation = "hidden_act";
    int segments = 2; // where the configuration does not say
};

inline constexpr auto bertLayers = "encoder.layer.";
LayerNames bertLayerNames();

// BERT's sizes under the names of BERT. Throws Error{Format, Unsupported}.
BertPlan readBertPlan(const JsonObject& config, const BertFields& fields = {});
// Positions are counted from behind the padding token, and the head has names of its own.
BertPlan readRobertaPlan(const JsonObject& config);

// The stack without its embeddings' words, which may be tied to a head: those are of `words`. prefix: of all names.
Weight<TransformerStack> declareBert(WeightTable& table, const BertPlan& plan, const Weight<Embedding>& words,
                                     const std::string& prefix = {});
// The masked-token head, or that of a decoder. output: the matrix; bias: its name, stored under one of several.
Weight<OutputHead> declareBertHead(WeightTable& table, const BertPlan& plan, const std::string& output,
                                   const std::string& bias, const std::string& prefix = {});

// Builds an encoder-only model. Throws Error{Format, Unsupported, Cancelled}.
FamilyOutput buildBert(const FamilyInput& input, const BertPlan& plan);

} // namespace attn
