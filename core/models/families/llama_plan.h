// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "models/families/config_values.h"
#include "models/families/layer_reader.h"

#include <functional>
#include <string_view>
#include <vector>

namespace attn {

// Defaults of a family around LLaMA for keys that a configuration leaves out. These families share names of keys and
// tensors, and one network.
struct LlamaDefaults
{
    double epsilon = 1e-6;
    std::string_view epsilonField = "rms_norm_eps";
    int headWidth = 0; // 0: the width over the heads
    bool inputBias = false; // of queries, keys and values
    bool outputBias = false;
    bool readsBiases = true; // attention_bias and mlp_bias say whether there are any
};

DecoderNames llamaNames();
LayerNames llamaLayerNames();
// Queries and keys have norms of their own.
void nameHeadNorms(LayerNames& names);

// Sizes, norms, biases and names; rotary positions and windows are the family's to add. Throws Error{Format,
// Unsupported}.
DecoderPlan readLlamaPlan(const JsonObject& config, const LlamaDefaults& defaults = {});

// Which layers see a window only: layer_types, or where the configuration has none what the family's pattern says of a
// layer. Throws Error{Format} for another length or an unknown word.
std::vector<bool> localLayers(const JsonObject& config, int layers, const std::function<bool(int)>& pattern);
// The window of local layers, 0 for the others.
std::vector<int> windowsOf(const std::vector<bool>& local, int window);
// sliding_window, and `fallback` where it is absent; 0 where it is null: none.
int slidingWindow(const JsonObject& config, int fallback, std::string_view field = "sliding_window");

// Configuration in the words of these families, from the metadata of a GGUF file.
Json llamaConfig(const GgufMetadata& file);
// names: of its layers' tensors, where they are not those of LLaMA alone.
GgufLayout llamaLayout(std::string_view architecture, const LayerNames& names = llamaLayerNames(),
                       Json (*config)(const GgufMetadata& metadata) = llamaConfig, NormPlace place = NormPlace::Before);

// Keys of config.json that readLlamaPlan() and readRotary() read.
ConfigKeys llamaPlanKeys();

} // namespace attn
