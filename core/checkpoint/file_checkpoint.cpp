// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/gguf_model.h"
#include "checkpoint/stored_tensor.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostShards = 4096;

// {"weight_map": {tensor: file beside the index}}.
using WeightMap = std::map<std::string, std::string>;

// A shard is a plain file name beside its index.
void checkShardName(const std::string& shard, const std::string& where)
{
    if (shard.empty() || shard.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || shard == "."
        || shard == "..")
        throw Error(ErrorKind::Format, where,
                    fmt::format("names the shard \"{}\", which is not a plain file name", shard),
                    "shards lie beside their index");
}

WeightMap readWeightMap(const fs::path& index)
{
    const JsonObject json(index, {.depth = 8, .uniqueKeys = true});
    const JsonObject map = json.requireObject("weight_map");
    WeightMap result;
    for (const std::string& tensor : map.fields()) {
        const std::string shard = map.requireString(tensor);
        checkShardName(shard, index.string());
        result.emplace(tensor, shard);
    }
    if (result.empty())
        throw Error(ErrorKind::Format, index.string(), "its weight_map is empty");
    return result;
}

std::set<std::string> shardsOf(const WeightMap& map, const fs::path& index)
{
    std::set<std::string> shards;
    for (const auto& [tensor, shard] : map)
        shards.insert(shard);
    if (shards.size() > mostShards)
        throw Error(ErrorKind::Format, index.string(), fmt::format("names more than {} shards", mostShards));
    std::error_code ignored;
    for (const std::string& shard : shards)
        if (!fs::exists(index.parent_path() / shard, ignored))
            throw Error(ErrorKind::File, (index.parent_path() / shard).string(),
                        fmt::format("is missing; {} needs it", index.filename().string()),
                        "put all shards beside their index");
    return shards;
}

// A file that its name says to be of a form that its content is not.
void refuseIfNamedAsAnother(const fs::path& path, std::span<const std::byte> file)
{
    if (identifyForeign(file))
        return;
    constexpr std::array<std::string_view, 4> torchEndings = {".bin", ".pt", ".pth", ".ckpt"};
    const std::string ending = path.extension().string();
    const char* form = nullptr;
    if (std::ranges::find(torchEndings, ending) != torchEndings.end())
        form = "are neither a zip archive nor a pickle, as torch.save writes them";
    else if (ending == ".gguf")
        form = "do not begin as a GGUF file does";
    if (form != nullptr)
        throw Error(ErrorKind::Format, path.string(), fmt::format("holds {} bytes that {}", file.size(), form),
                    "the file is incomplete or damaged");
}

// One mapped file of weights; its content tells the format. architectures: those whose GGUF files are read. Throws
// Error{File, Format, Unsupported}.
class WeightFile
{
public:
    WeightFile(const fs::path& path, std::span<const GgufLayout> architectures);

    const std::string& name() const { return m_name; }
    const StoredTensors& tensors() const { return m_tensors; }
    const std::optional<JsonObject>& config() const { return m_config; } // of a GGUF file
    CheckpointFile summary() const;
    // As float32, row by row; afterwards the pages it came from may leave memory.
    Tensor read(const StoredTensor& tensor) const;
    // Throws Error{File} where what was read of the part may not be what the file held.
    void release(std::span<const std::byte> part) const
    {
        requireUnchanged();
        m_file.release(part);
    }
    void requireUnchanged() const { m_file.requireUnchanged(); }

private:
    void parse(const fs::path& path, std::span<const GgufLayout> architectures);

    std::string m_name;
    MappedFile m_file;
    StoredTensors m_tensors;
    std::optional<JsonObject> m_config;
};

WeightFile::WeightFile(const fs::path& path, std::span<const GgufLayout> architectures)
    : m_name(path.filename().string())
    , m_file(path)
{
    try {
        parse(path, architectures);
    } catch (const Error&) {
        requireUnchanged(); // a file that is being written looks damaged
        throw;
    }
    requireUnchanged();
}

void WeightFile::parse(const fs::path& path, std::span<const GgufLayout> architectures)
{
    if (!isSafetensors(m_file.bytes()) && isTorchFile(m_file.bytes())) {
        m_tensors = readTorchFile(m_file.bytes(), path.string());
        return;
    }
    if (isGguf(m_file.bytes())) {
        GgufModel model = readGgufModel(m_file.bytes(), path.string(), architectures);
        m_config = std::move(model.config);
        m_tensors = std::move(model.tensors);
        return;
    }
    if (!isSafetensors(m_file.bytes()))
        refuseIfNamedAsAnother(path, m_file.bytes());
    m_tensors = readSafetensors(m_file.bytes(), path.string());
}

CheckpointFile WeightFile::summary() const
{
    std::map<DType, std::int64_t> values;
    for (const auto& [name, tensor] : m_tensors)
        values[tensor.view.dtype] += tensor.problem.empty() ? elementCount(tensor.view.shape) : 0;
    CheckpointFile file{m_name, m_file.bytes().size(), m_tensors.size(), {}};
    for (const auto& [dtype, count] : values)
        file.dtypes.push_back(dtype);
    std::ranges::stable_sort(file.dtypes, std::greater{}, [&](DType dtype) { return values.at(dtype); });
    return file;
}

Tensor WeightFile::read(const StoredTensor& tensor) const
{
    Tensor values = toFloat32(tensor);
    release(tensor.view.bytes);
    return values;
}

// The tensors of one weight file, or of several under their common name.
class FileCheckpoint final : public Checkpoint
{
public:
    explicit FileCheckpoint(std::string name)
        : m_name(std::move(name))
    {
    }

    // A tensor may be in one file only. Throws Error{Format}.
    void add(const fs::path& path, std::span<const GgufLayout> architectures);
    // That each tensor is in its shard, or in none: indices also list the other names of shared tables.
    void check(const WeightMap& map, const fs::path& index) const;

    std::string name() const override { return m_name; }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
    std::string problemOf(std::string_view tensor) const override;
    std::vector<CheckpointFile> files() const override;
    const JsonObject* config() const override;
    void release(std::string_view tensor, std::span<const std::byte> part) const override;
    void requireUnchanged(std::string_view tensor) const override;

protected:
    Tensor read(std::string_view tensor) const override;

private:
    struct Place
    {
        const WeightFile* file = nullptr;
        const StoredTensor* tensor = nullptr;
    };

    std::string m_name;
    std::vector<std::unique_ptr<WeightFile>> m_files;
    std::map<std::string, Place, std::less<>> m_places;
};

void FileCheckpoint::add(const fs::path& path, std::span<const GgufLayout> architectures)
{
    const WeightFile& file = *m_files.emplace_back(std::make_unique<WeightFile>(path, architectures));
    for (const auto& [name, tensor] : file.tensors()) {
        const auto [position, inserted] = m_places.try_emplace(name, Place{&file, &tensor});
        if (!inserted)
            throw Error(ErrorKind::Format, path.string(),
                        fmt::format("holds the tensor {}, and so does {}", name, position->second.file->name()),
                        "the shards do not belong together");
    }
}

void FileCheckpoint::check(const WeightMap& map, const fs::path& index) const
{
    for (const auto& [tensor, shard] : map) {
        const auto found = m_places.find(tensor);
        if (found != m_places.end() && found->second.file->name() != shard)
            throw Error(
                ErrorKind::Format, (index.parent_path() / shard).string(),
                fmt::format("does not hold the tensor {}, which {} says it does", tensor, index.filename().string()),
                "the shards do not belong to this index");
    }
}

std::vector<std::string> FileCheckpoint::tensorNames() const
{
    std::vector<std::string> names;
    names.reserve(m_places.size());
    for (const auto& [name, place] : m_places)
        names.push_back(name);
    return names;
}

std::optional<TensorView> FileCheckpoint::find(std::string_view tensor) const
{
    const auto found = m_places.find(tensor);
    if (found == m_places.end())
        return std::nullopt;
    const StoredTensor& stored = *found->second.tensor;
    if (stored.axes.empty())
        return stored.view;
    return TensorView{stored.view.dtype, stored.view.shape, {}};
}

std::string FileCheckpoint::problemOf(std::string_view tensor) const
{
    const auto found = m_places.find(tensor);
    const bool isUnread = found != m_places.end() && !found->second.tensor->problem.empty();
    return isUnread ? found->second.tensor->problem : Checkpoint::problemOf(tensor);
}

std::vector<CheckpointFile> FileCheckpoint::files() const
{
    std::vector<CheckpointFile> files;
    for (const auto& file : m_files)
        files.push_back(file->summary());
    return files;
}

const JsonObject* FileCheckpoint::config() const
{
    const auto& config = m_files.front()->config();
    return config ? &*config : nullptr;
}

void FileCheckpoint::release(std::string_view tensor, std::span<const std::byte> part) const
{
    m_places.find(tensor)->second.file->release(part);
}

void FileCheckpoint::requireUnchanged(std::string_view tensor) const
{
    m_places.find(tensor)->second.file->requireUnchanged();
}

Tensor FileCheckpoint::read(std::string_view tensor) const
{
    const Place& place = m_places.find(tensor)->second;
    return place.file->read(*place.tensor);
}

} // namespace

std::shared_ptr<const Checkpoint> openCheckpoint(const fs::path& path, std::span<const GgufLayout> architectures)
{
    const fs::path weights = weightsPath(path);
    const auto checkpoint = std::make_shared<FileCheckpoint>(weights.string());
    if (!weights.filename().string().ends_with(indexEnding)) {
        checkpoint->add(weights, architectures);
        return checkpoint;
    }
    const WeightMap map = readWeightMap(weights);
    for (const std::string& shard : shardsOf(map, weights))
        checkpoint->add(weights.parent_path() / shard, {});
    checkpoint->check(map, weights);
    return checkpoint;
}

} // namespace attn
