// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_layout.h"
#include "io/json.h"
#include "tensor/tensor_view.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What one file contributes to a checkpoint.
struct CheckpointFile
{
    std::string name;
    std::uint64_t bytes = 0;
    std::size_t tensors = 0;
    std::vector<DType> dtypes; // the one with most values first
};

// Named tensors of a model, mapped from disk and checked in every size and offset.
class Checkpoint
{
public:
    virtual ~Checkpoint() = default;

    virtual std::string name() const = 0; // path for messages
    virtual std::vector<std::string> tensorNames() const = 0; // sorted
    // The bytes are empty where the file holds the values in another order: load() gives them in the right one.
    virtual std::optional<TensorView> find(std::string_view tensor) const = 0;
    // Why a tensor that find() knows cannot be loaded: "is stored as i16, which is not read"; empty: it can be.
    virtual std::string problemOf(std::string_view tensor) const;
    virtual std::vector<CheckpointFile> files() const { return {}; }
    // In the manner of config.json, from a file that describes its model itself (GGUF); otherwise null.
    virtual const JsonObject* config() const { return nullptr; }
    // Where the model is described, for messages.
    std::string_view configName() const { return config() != nullptr ? "the file's metadata" : "config.json"; }

    // The tensor with exactly this shape, as float32. Throws Error{Format} naming file, tensor, expected and found.
    virtual Tensor load(std::string_view tensor, const Shape& shape) const;
    // Says that part of what find() gave is not needed for now and may leave memory.
    virtual void release(std::string_view /*tensor*/, std::span<const std::byte> /*part*/) const { }
    // What the file calls the tensor, or would call it if it had it.
    virtual std::string storedName(std::string_view tensor) const { return std::string(tensor); }

protected:
    // A tensor that find() knows.
    virtual Tensor read(std::string_view tensor) const { return toFloat32(find(tensor).value()); }
};

// The weight file or index that opening this path reads: in a directory the first of model.safetensors, its index,
// pytorch_model.bin, its index, and the only GGUF file; for one shard of several the index beside it; otherwise the
// path itself. Throws Error{File}.
std::filesystem::path weightsPath(const std::filesystem::path& path);

// Whether this is a file that begins like a GGUF file.
bool isGgufFile(const std::filesystem::path& path);
// The GGUF file of a directory that holds exactly one and no other weights.
std::optional<std::filesystem::path> onlyGgufFile(const std::filesystem::path& directory);

// Opens the weights of a checkpoint directory, a weight file (safetensors, torch.save, GGUF of one of the
// architectures) or an index of several. Throws Error{File} when there are none, Error{Format} when they are broken,
// naming what a foreign file is (Git LFS pointer, HTML page, ...).
std::shared_ptr<const Checkpoint> openCheckpoint(const std::filesystem::path& path,
                                                 std::span<const GgufLayout> architectures = {});

} // namespace attn
