// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/recorded_attention.h"
#include "base/encoding.h"
#include "models/transformer.h"
#include "nn/tape.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Gradient of an attention's weights, [heads * rows, keys], which are on the tape.
using WeightGradient = std::function<void(const Tape& tape, const RecordedAttention& attention, Tensor gradient)>;

// Input of a recording: a whole source and all that its decoder reads. Views live as long as the recording.
struct RecordedInput
{
    std::span<const TokenId> source; // of a decoder-only model the sequence
    std::span<const int> segments = {}; // one per token, or empty: all 0
    std::span<const TokenId> target = {}; // inputs of an encoder-decoder's decoder
    bool positions = true; // false: without positional encoding
    const AttentionEdits* edits = nullptr; // null: none
    NumberView sourceEmbeddings = {}; // in the place of the source's own, [source * points, width]; empty: these
    // Runs of a recurrent model side by side, which differ in the source's embeddings; row token * points + point is a
    // token's of one of them. Several have no attentions.
    int points = 1;
    NumberView media = {}; // a picture or a sound, as of Source
    NumberView choice = {}; // weights of hard attention, [target, source], that the run had; its choice is a constant
    // Layers of a Transformer without attentions and states: what enters each is kept, and it is recorded again where
    // gradients go back.
    bool endsOnly = false;
    const WeightGradient* watch = nullptr; // told of attentions that are recorded again; null: nobody is
};

struct TransformerStack;

// One layer of a stack on the tape.
struct RecordedLayer
{
    const TransformerStack* stack = nullptr;
    Stage stage = Stage::Encoder; // Encoder or Decoder
    Mask mask = Mask::None; // of self-attention
    int layer = 0;
    Variable before; // rows that enter it
    Variable after = {};
    Variable feedForward = {}; // what its feed-forward half adds; none in recurrent models
};

// A row of an attention's sums that does without the value of a column.
struct ZeroedCell
{
    int row = 0;
    int column = 0;
};

// Logits as a model caps them last, or as they were before.
enum class LogitCap : std::uint8_t { Applied, LeftOut };

// A run on a tape: all that readings are made of. Models write it (SequenceModel::record).
struct Recording
{
    int points = 1; // runs side by side; rows of the source, the memory and the output are `points` times as many
    Variable source; // embeddings of the source, scaled, or projected patches, before positions are added, [source,
                     // width]
    Variable target; // of the decoder's inputs; none: the decoder reads the source, or there is none
    Variable memory; // what an encoder leaves, [source, width]; none without one
    std::vector<RecordedAttention> attentions; // by stage and layer; of recurrent models by step
    std::vector<RecordedLayer> layers; // of Transformers
    std::vector<Variable> states; // of the stack that the output is made of, as archives have them; Transformers only
    Variable output; // what the output layer reads, [rows, width]
};

// A stack of layers on a tape.
struct RecordedStack
{
    Variable embedded; // what enters it before positions are added, [input, width]
    Variable rows; // after the last layer and its norm
    std::vector<Variable> states; // as archives have them
};

// Runs all of `source` through a stack; attentions and layers are added to the recording, whose memory cross attention
// reads. embeddings: in the place of the source's own; empty: these.
RecordedStack recordStack(Tape& tape, const RecordedInput& input, const TransformerStack& stack, Stage stage, Mask mask,
                          const Source& source, NumberView embeddings, Recording& recording);

Variable recordPerceptron(Tape& tape, const Perceptron& layer, Variable input);

// A row after a recorded layer for each of the cells, from the same rows before it, where one of its attentions does
// without a value. Unless rowsStandAlone(), the cells are all rows without the same value, in their order.
Tensor layerWithout(const RecordedInput& input, const Recording& recording, const Tape& recorded,
                    const RecordedLayer& layer, const RecordedAttention& attention, std::span<const ZeroedCell> cells);
// Whether a row after the layer follows from its own sums of the attention, whatever those of other rows are.
bool rowsStandAlone(const RecordedLayer& layer, Stage attention);

} // namespace attn
