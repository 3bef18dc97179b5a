// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"
#include "checkpoint/weight_file.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn {

// The tensors of one weight file, or of several under their common name.
class FileCheckpoint final : public Checkpoint
{
public:
    FileCheckpoint(const std::filesystem::path& path, std::span<const GgufLayout> architectures);
    // A shard index: {"weight_map": {tensor: file beside the index}}. A tensor must be in its shard and in no other, or
    // in none: indices also list the other names of shared tables. Throws Error{Format, File}.
    static std::shared_ptr<const FileCheckpoint> sharded(const std::filesystem::path& index);

    std::string name() const override { return m_name; }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
    std::string problemOf(std::string_view tensor) const override;
    std::vector<CheckpointFile> files() const override;
    const JsonObject* config() const override;
    void release(std::string_view tensor, std::span<const std::byte> part) const override;

protected:
    Tensor read(std::string_view tensor) const override;

private:
    struct Place
    {
        const WeightFile* file = nullptr;
        const StoredTensor* tensor = nullptr;
    };

    explicit FileCheckpoint(std::string name);
    void add(const std::filesystem::path& path, std::span<const GgufLayout> architectures = {});

    std::string m_name;
    std::vector<std::unique_ptr<WeightFile>> m_files;
    std::map<std::string, Place, std::less<>> m_places;
};

} // namespace attn
