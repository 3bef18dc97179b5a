// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
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

// What the decoder's first state is made of (FORMATS.md section 3, "z").
enum class InitialState : std::uint8_t { FirstBackward, Mean, Last };

enum class OutputKind : std::uint8_t {
    Tanh, // tanh(W [state; context; embedding])
    Maxout, // the larger of each pair of W [state; context; embedding]
    Attentional, // tanh(W [context; state])
};

enum class RecurrentScore : std::uint8_t { None, Additive };

// A recurrent encoder-decoder in the style of Bahdanau et al. 2015: what the family reads from config.json.
struct RecurrentConfig
{
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    int embedding = 0;
    RecurrentStack encoder;
    RecurrentStack decoder;
    InitialState initialState = InitialState::FirstBackward;
    OutputKind output = OutputKind::Tanh;
    int outputSize = 0;
    RecurrentScore score = RecurrentScore::Additive;
    int attentionSize = 0;
    AttentionMode mode = AttentionMode::Soft;
    bool tieOutput = false;

    int annotationWidth() const { return encoder.hidden * (encoder.bidirectional ? 2 : 1); }
    // Width of what the decoder's first state is made of.
    int initialWidth() const
    {
        return initialState == InitialState::FirstBackward ? encoder.hidden : annotationWidth();
    }
};

} // namespace attn
