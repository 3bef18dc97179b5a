// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"
#include "models/sequence_model.h"
#include "nn/engine.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace attn::test {

// Named tensors in memory.
class MemoryCheckpoint final : public Checkpoint
{
public:
    std::map<std::string, Tensor, std::less<>> tensors;

    std::string name() const override { return "tiny.safetensors"; }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
};

// A checkpoint of random weights with its config.json, to be changed by a test and then built.
struct TinyModel
{
    std::string config;
    std::shared_ptr<MemoryCheckpoint> checkpoint = std::make_shared<MemoryCheckpoint>();

    std::shared_ptr<const SequenceModel> build(Engine& engine, const ProgressCallback& progress = {},
                                               const std::stop_token& stop = {}) const;
    std::vector<std::string> ignoredTensors(Engine& engine) const;
    // Replaces text in the configuration; fails the program when it is not there.
    void replace(const std::string& from, const std::string& to);
};

struct TinySizes
{
    int layers = 2;
    int heads = 2;
    int width = 16;
    int vocabulary = 30;
    int positions = 64;
};

// The checkpoint of a case below tests/data/cases.
TinyModel tinyCase(const std::string& name);

TinyModel tinyTransformer(const TinySizes& sizes = {});
TinyModel tinyRecurrent(const std::string& cell = "gru"); // additive attention, 30 words

} // namespace attn::test
