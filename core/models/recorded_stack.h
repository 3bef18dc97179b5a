// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/recording.h"
#include "models/transformer.h"

#include <vector>

namespace attn {

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

// The rows after one layer that was recorded, when an attention module of it does without a value.
Tensor layerWithout(const RecordedInput& input, const Recording& recording, const Tape& recorded,
                    const RecordedLayer& layer, const ZeroedValue& zeroed);

} // namespace attn
