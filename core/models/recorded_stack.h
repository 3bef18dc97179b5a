// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/recording.h"
#include "models/transformer.h"

#include <span>
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

// A row after a recorded layer for each of the cells, from the same rows before it, where one of its attentions does
// without a value. Unless rowsStandAlone(), the cells are all rows without the same value, in their order.
Tensor layerWithout(const RecordedInput& input, const Recording& recording, const Tape& recorded,
                    const RecordedLayer& layer, const RecordedAttention& attention, std::span<const ZeroedCell> cells);
// Whether a row after the layer follows from its own sums of the attention, whatever those of other rows are.
bool rowsStandAlone(const RecordedLayer& layer, Stage attention);

} // namespace attn
