// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "tensor/tensor.h"

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

// Contribution of one file to a checkpoint.
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
    // The tensor's values where they stay, row by row in blocks that are whole: those in the file, or a copy in the
    // right order where the file has the rows in another one. None where only load() gives them.
    struct Kept
    {
        TensorView view;
        std::shared_ptr<const void> owner; // null: the checkpoint
    };
    virtual std::optional<Kept> asStored(std::string_view tensor) const;
    // Why a tensor that find() knows cannot be loaded: "is stored as i16, which is not read"; empty: it can be.
    virtual std::string problemOf(std::string_view tensor) const;
    virtual std::vector<CheckpointFile> files() const { return {}; }
    // Configuration as of config.json, from a file that describes its model itself (GGUF); otherwise null.
    virtual const JsonObject* config() const { return nullptr; }
    // Where the model is described, for messages.
    std::string_view configName() const { return config() != nullptr ? "the file's metadata" : "config.json"; }

    // The tensor with exactly this shape, as float32. Throws Error{Format} naming file, tensor, expected and found.
    virtual Tensor load(std::string_view tensor, const Shape& shape) const;
    // Says that part of what find() gave has been read for now and may leave memory. Throws like requireUnchanged().
    virtual void release(std::string_view /*tensor*/, std::span<const std::byte> /*part*/) const { }
    // Ask it after reading what find() gave. Throws Error{File} where the file has been written to or cut short since
    // it was opened: what was read may be anything.
    virtual void requireUnchanged(std::string_view /*tensor*/) const { }
    // Name of the tensor in the file, or that it would have there.
    virtual std::string storedName(std::string_view tensor) const { return std::string(tensor); }

protected:
    // A tensor that find() knows.
    virtual Tensor read(std::string_view tensor) const { return toFloat32(find(tensor).value()); }
};

// The weight file or index that opening this path reads: in a directory the first of model.safetensors, its index,
// pytorch_model.bin, its index, and the only GGUF file; for one shard of several the index beside it; otherwise the
// path itself. Throws Error{File, Unsupported} that says what a folder without such weights holds.
std::filesystem::path weightsPath(const std::filesystem::path& path);

// Whether this is a file that begins like a GGUF file.
bool isGgufFile(const std::filesystem::path& path);
// All files of a GGUF model that one of them is of: "NAME-00001-of-00003.gguf" and its like, or the file itself. Throws
// Error{File} where one is missing.
std::vector<std::filesystem::path> ggufParts(const std::filesystem::path& path);
// Whether a file is named as a GGUF model: not as a later part of one, nor as its half of pictures (mmproj).
bool isGgufModel(const std::filesystem::path& path);
// The GGUF file of a directory that holds exactly one, or the first of one in parts, and no other weights.
std::optional<std::filesystem::path> onlyGgufFile(const std::filesystem::path& directory);

// Ending of the name of an index of several weight files.
inline constexpr auto indexEnding = ".index.json";

// Opens the weights of a checkpoint directory, a weight file (safetensors, torch.save, GGUF of one of the
// architectures) or an index of several. Throws Error{File} when there are none, Error{Format} when they are broken,
// naming what a foreign file is (Git LFS pointer, HTML page, ...).
std::shared_ptr<const Checkpoint> openCheckpoint(const std::filesystem::path& path,
                                                 std::span<const GgufLayout> architectures = {});

// A checkpoint under the names of its architecture: without the prefix of the base model or of a wrapper, where the
// file has one, and with normalisation tensors called weight and bias, not gamma and beta.
class RenamedCheckpoint final : public Checkpoint
{
public:
    // prefix: "bert."; may be empty. outside: beginnings of names that never have it ("cls.").
    RenamedCheckpoint(std::shared_ptr<const Checkpoint> stored, std::string prefix, std::vector<std::string> outside);

    std::string name() const override { return m_stored->name(); }
    const JsonObject* config() const override { return m_stored->config(); }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
    std::optional<Kept> asStored(std::string_view tensor) const override
    {
        return m_stored->asStored(nameBelow(tensor));
    }
    std::string problemOf(std::string_view tensor) const override { return m_stored->problemOf(nameBelow(tensor)); }
    Tensor load(std::string_view tensor, const Shape& shape) const override;
    void release(std::string_view tensor, std::span<const std::byte> part) const override
    {
        m_stored->release(nameBelow(tensor), part);
    }
    void requireUnchanged(std::string_view tensor) const override { m_stored->requireUnchanged(nameBelow(tensor)); }
    std::string storedName(std::string_view tensor) const override { return m_stored->storedName(nameBelow(tensor)); }

private:
    std::string nameBelow(std::string_view tensor) const; // in m_stored

    std::shared_ptr<const Checkpoint> m_stored;
    std::string m_prefix; // of the file; empty when it has none
    std::vector<std::string> m_outside;
    std::map<std::string, std::string, std::less<>> m_names; // to the stored ones
};

} // namespace attn
