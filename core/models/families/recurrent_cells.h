// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/recurrent.h"
#include "models/weight_table.h"
#include "nn/recurrent.h"

#include <string>
#include <vector>

namespace attn {

// Stacks of recurrent layers as config.json describes them and as PyTorch's nn.GRU and nn.LSTM name their tensors.

// `field` ("encoder"): {"cell", "layers", "hidden_size", "bidirectional"}. Throws Error{Format}.
RecurrentStack readStack(const JsonObject& config, const std::string& field);

// Features that layer `layer` reads when the first reads `inputs`.
int layerInputs(const RecurrentStack& stack, int inputs, int layer);

// prefix: "encoder.rnn.". inputs: what the first layer reads.
Weight<std::vector<RecurrentLayer>> declareLayers(WeightTable& table, const std::string& prefix,
                                                  const RecurrentStack& stack, int inputs);

} // namespace attn
