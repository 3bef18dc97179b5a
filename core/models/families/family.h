// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/progress.h"
#include "base/text_files.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "models/families/config_values.h"
#include "models/sequence_model.h"
#include "nn/engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Bytes that the weights of a model take, copied and left where they are (which the system may take back and read
// again).
struct WeightMemory
{
    std::uint64_t widened = 0;
    std::uint64_t asStored = 0;
};

// Parts that a family builds a model from.
struct FamilyInput
{
    const JsonObject& config; // config.json
    std::shared_ptr<const Checkpoint> checkpoint;
    Engine& engine;
    ProgressCallback progress;
    std::stop_token stop;
    // Told how many bytes of memory the weights take before they are read, and says where they are to be: not
    // Automatic. Throws where there is no room.
    std::function<WeightStorage(const WeightMemory& needed)> chooseStorage = {};
    // Steps from pictures or sounds to what the model reads: preprocessor_config.json, or its part of
    // processor_config.json; none where there is no such file. Throws Error{Format}.
    std::function<std::optional<JsonObject>()> preprocessor = {};
    // The tokenizer of the output; null where there is none. Throws Error{File, Format}.
    std::function<std::shared_ptr<const TokenDescriber>()> tokenizer = {};
};

struct FamilyOutput
{
    std::shared_ptr<const SequenceModel> model;
    std::vector<std::string> ignoredTensors; // stored but not needed, sorted
};

// One architecture and all that is known of it before it is loaded. Its file says how config.json becomes a description
// how the tensors are named, and which files its tokenizer is made of; the rest of the program never asks for the type
// of a model.
struct Family
{
    std::string_view modelType; // in config.json
    std::string_view published; // models that it was made for, "LLaMA 1 to 3"
    TextFiles text;
    ModelKind kind;
    ConfigKeys (*keys)(); // of its config.json
    FamilyOutput (*build)(const FamilyInput& input); // throws Error{Format, Unsupported, Cancelled}
    GgufLayout (*gguf)() = nullptr; // how llama.cpp stores it; null: not read
    bool attendsToItself = true; // encoder-decoders: each side; false: only the decoder to the encoder
};

// Every architecture that the program can run.
std::vector<Family> families();

// Null for a type that is not known.
const Family* findFamily(std::string_view modelType);

// The family of a config.json. Throws Error{Unsupported}.
const Family& familyOf(const JsonObject& config);

// Reading of a tokenizer's files by the type of its model.
TextFiles textFilesOf(std::string_view modelType);

// The architectures whose GGUF files are read.
std::vector<GgufLayout> ggufLayouts();

} // namespace attn
