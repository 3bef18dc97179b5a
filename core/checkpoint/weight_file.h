// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"
#include "checkpoint/stored_tensor.h"
#include "io/mapped_file.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attn {

// One mapped file of weights; its content tells the format. architectures: those whose GGUF files are read. Throws
// Error{File, Format, Unsupported}.
class WeightFile
{
public:
    WeightFile(const std::filesystem::path& path, std::span<const GgufLayout> architectures);

    const std::string& name() const { return m_name; }
    const StoredTensors& tensors() const { return m_tensors; }
    const std::optional<JsonObject>& config() const { return m_config; } // of a GGUF file
    CheckpointFile summary() const;
    // As float32, row by row; afterwards the pages it came from may leave memory.
    Tensor read(const StoredTensor& tensor) const;
    void release(std::span<const std::byte> part) const { m_file.release(part); }

private:
    std::string m_name;
    MappedFile m_file;
    StoredTensors m_tensors;
    std::optional<JsonObject> m_config;
};

} // namespace attn
