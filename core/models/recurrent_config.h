// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "models/model_info.h"
#include "nn/recurrent.h"

#include <cstdint>

namespace attn {

struct RecurrentStack
{
    Cell cell = Cell::Gru;
    int layers = 1;
    int hidden = 0; // of one direction
    bool bidirectional = false; // the encoder only
};

// Source of the decoder's first state (formats.md section 2, "z").
enum class InitialState : std::uint8_t {
    FirstBackward,
    Mean,
    Last,
    Copy, // each layer's final state of the encoder, as it is
};

// When a step attends: Bahdanau's decoder with its previous state, before it reads; Luong's with its new state.
enum class DecoderStyle : std::uint8_t { Bahdanau, Luong };

enum class OutputKind : std::uint8_t {
    Tanh, // tanh(W [state; context; embedding])
    Maxout, // the larger of each pair of W [state; context; embedding]
    Attentional, // tanh(W [context; state])
    Deep, // W [state; context] + embedding (Xu et al. 2015, equation 7)
};

struct RecurrentScore; // a row of the family's table

// A recurrent encoder-decoder in the style of Bahdanau et al. 2015 or Luong et al. 2015: what the family reads from
// config.json.
struct RecurrentConfig
{
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    int embedding = 0;
    RecurrentStack encoder;
    RecurrentStack decoder;
    DecoderStyle style = DecoderStyle::Bahdanau;
    bool inputFeeding = false; // Luong: the output layer's features enter the next step
    InitialState initialState = InitialState::FirstBackward;
    OutputKind output = OutputKind::Tanh;
    int outputSize = 0;
    bool outputTanh = false; // Deep: of the sum
    bool outputEmbedding = true; // Deep: the embedding is a part of it
    const RecurrentScore* score = nullptr; // null: no attention
    int attentionSize = 0; // additive, concat, local_p
    int rank = 0; // low_rank
    AttentionScope scope = AttentionScope::Global;
    int window = 0; // of local attention
    AttentionMode mode = AttentionMode::Soft;
    bool temporal = false; // intra-temporal attention: what was scored high before counts less (Paulus et al. 2017)
    bool intraAttention = false; // the decoder's top state attends to those before it (Paulus et al. 2017)
    bool tieOutput = false;

    int annotationWidth() const { return encoder.hidden * (encoder.bidirectional ? 2 : 1); }
    // Width of what the decoder's first state is made of.
    int initialWidth() const
    {
        return initialState == InitialState::FirstBackward ? encoder.hidden : annotationWidth();
    }
};

} // namespace attn
