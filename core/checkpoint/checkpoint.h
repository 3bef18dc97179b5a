// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor_view.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Named tensors of a model, mapped from disk and checked in every size and offset.
class Checkpoint
{
public:
    virtual ~Checkpoint() = default;

    virtual std::string name() const = 0; // file name for messages
    virtual std::vector<std::string> tensorNames() const = 0; // sorted
    virtual std::optional<TensorView> find(std::string_view tensor) const = 0;

    // The tensor with exactly this shape, as float32. Throws Error{Format} naming file, tensor, expected and found.
    virtual Tensor load(std::string_view tensor, const Shape& shape) const;
    // What the file calls the tensor, or would call it if it had it.
    virtual std::string storedName(std::string_view tensor) const { return std::string(tensor); }
};

// Opens the weights of a checkpoint directory, or one safetensors file. Throws Error{File} when there are none,
// Error{Format} when they are broken, naming what a foreign file is (Git LFS pointer, HTML page, ...).
std::shared_ptr<const Checkpoint> openCheckpoint(const std::filesystem::path& directory);

} // namespace attn
