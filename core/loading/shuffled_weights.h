// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"

#include <memory>
#include <stop_token>
#include <string>

namespace attn {

// The same model with the values of each of its weights in a random order, always the same: a control for what is said
// of the model (Adebayo et al. 2018). Throws what loadModel() throws.
LoadedModel loadShuffled(const std::string& nameOrPath, Engine& engine, const std::stop_token& stop = {});

// A checkpoint's tensors of float32, each with its values in a random order. Those of integers stay as they are.
std::shared_ptr<const Checkpoint> shuffledWeights(std::shared_ptr<const Checkpoint> checkpoint);

} // namespace attn
