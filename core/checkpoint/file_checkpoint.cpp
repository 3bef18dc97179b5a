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
#include <fmt/ranges.h>
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

// One mapped file of weights. Throws Error{File}.
class WeightFile
{
public:
    explicit WeightFile(const fs::path& path)
        : m_path(path)
        , m_name(path.filename().string())
        , m_file(path)
    {
    }

    // Reads a file of its own, whose content tells the format. Throws Error{File, Format, Unsupported}.
    void parse();
    void take(StoredTensors tensors, std::optional<JsonObject> config);

    const std::string& name() const { return m_name; }
    std::string where() const { return m_path.string(); }
    std::span<const std::byte> bytes() const { return m_file.bytes(); }
    const StoredTensors& tensors() const { return m_tensors; }
    const std::optional<JsonObject>& config() const { return m_config; } // of a GGUF file
    CheckpointFile summary() const;
    // The tensor in float32, converted row by row; the pages that it came from may leave memory afterwards.
    Tensor read(const StoredTensor& tensor) const;
    // Throws Error{File} where what was read of the part may not be what the file held.
    void release(std::span<const std::byte> part) const
    {
        requireUnchanged();
        m_file.release(part);
    }
    void requireUnchanged() const { m_file.requireUnchanged(); }

private:
    fs::path m_path;
    std::string m_name;
    MappedFile m_file;
    StoredTensors m_tensors;
    std::optional<JsonObject> m_config;
};

void WeightFile::parse()
{
    try {
        const bool isTorch = !isSafetensors(m_file.bytes()) && isTorchFile(m_file.bytes());
        if (!isTorch && !isSafetensors(m_file.bytes()))
            refuseIfNamedAsAnother(m_path, m_file.bytes());
        m_tensors = isTorch ? readTorchFile(m_file.bytes(), where()) : readSafetensors(m_file.bytes(), where());
    } catch (const Error&) {
        requireUnchanged(); // a file that is being written looks damaged
        throw;
    }
    requireUnchanged();
}

void WeightFile::take(StoredTensors tensors, std::optional<JsonObject> config)
{
    m_tensors = std::move(tensors);
    m_config = std::move(config);
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
    void add(const fs::path& path);
    // All files of a GGUF model of one of the architectures.
    void addGguf(std::span<const fs::path> paths, std::span<const GgufLayout> architectures);
    // Gives 8-bit weights the scales that stand beside them, which are no tensors of their own then. directory: that of
    // config.json, which may say how large the blocks of a scale are. Throws Error{Format}.
    void attachScales(const fs::path& directory);
    // That each tensor is in its shard, or in none: indices also list the other names of shared tables.
    void check(const WeightMap& map, const fs::path& index) const;

    std::string name() const override { return m_name; }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
    std::optional<Kept> asStored(std::string_view tensor) const override;
    std::string problemOf(std::string_view tensor) const override;
    std::string storedName(std::string_view tensor) const override
    {
        return m_storedName ? m_storedName(tensor) : std::string(tensor);
    }
    std::vector<CheckpointFile> files() const override;
    const JsonObject* config() const override;
    void release(std::string_view tensor, std::span<const std::byte> part) const override;
    void requireUnchanged(std::string_view tensor) const override;

protected:
    Tensor read(std::string_view tensor) const override;

private:
    // A tensor of factors for another one, each for so many of its rows and columns.
    struct Scale
    {
        const WeightFile* file = nullptr;
        const StoredTensor* tensor = nullptr;
        std::int64_t rows = 1;
        std::int64_t columns = 1;
    };
    struct Place
    {
        const WeightFile* file = nullptr;
        const StoredTensor* tensor = nullptr;
        std::optional<Scale> scale = {};
    };

    Scale scaleOf(const std::string& name, const Place& place, const Place& scale, const fs::path& directory) const;
    void list(const WeightFile& file);

    std::string m_name;
    std::function<std::string(std::string_view)> m_storedName; // of a GGUF model
    std::vector<std::unique_ptr<WeightFile>> m_files;
    std::map<std::string, Place, std::less<>> m_places;
};

void FileCheckpoint::add(const fs::path& path)
{
    WeightFile& file = *m_files.emplace_back(std::make_unique<WeightFile>(path));
    file.parse();
    list(file);
}

void FileCheckpoint::addGguf(std::span<const fs::path> paths, std::span<const GgufLayout> architectures)
{
    std::vector<GgufPart> parts;
    for (const fs::path& path : paths) {
        const WeightFile& file = *m_files.emplace_back(std::make_unique<WeightFile>(path));
        parts.push_back({file.bytes(), file.where()});
    }
    const auto requireUnchanged = [&] {
        for (const auto& file : m_files)
            file->requireUnchanged();
    };
    try {
        GgufModel model = readGgufModel(parts, architectures);
        m_storedName = std::move(model.storedName);
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            m_files[i]->take(std::move(model.tensors[i]), i == 0 ? std::optional(model.config) : std::nullopt);
            list(*m_files[i]);
        }
    } catch (const Error&) {
        requireUnchanged();
        throw;
    }
    requireUnchanged();
}

void FileCheckpoint::list(const WeightFile& file)
{
    for (const auto& [name, tensor] : file.tensors()) {
        const auto [position, inserted] = m_places.try_emplace(name, Place{&file, &tensor});
        if (!inserted)
            throw Error(ErrorKind::Format, file.where(),
                        fmt::format("holds the tensor {}, and so does {}", name, position->second.file->name()),
                        "the shards do not belong together");
    }
}

void FileCheckpoint::attachScales(const fs::path& directory)
{
    std::vector<std::string> scales;
    for (auto& [name, place] : m_places) {
        const DType dtype = place.tensor->view.dtype;
        if (dtype != DType::F8_E4M3 && dtype != DType::F8_E5M2)
            continue;
        for (const char* ending : {"_scale", "_scale_inv"})
            if (const auto scale = m_places.find(name + ending); scale != m_places.end()) {
                place.scale = scaleOf(name, place, scale->second, directory);
                scales.push_back(scale->first);
            }
    }
    for (const std::string& name : scales)
        m_places.erase(name);
}

FileCheckpoint::Scale FileCheckpoint::scaleOf(const std::string& name, const Place& place, const Place& scale,
                                              const fs::path& directory) const
{
    constexpr std::int64_t usualBlock = 128;
    const Shape& shape = place.tensor->view.shape;
    const Shape& factors = scale.tensor->view.shape;
    if (elementCount(factors) == 1 && elementCount(shape) > 0)
        return {scale.file, scale.tensor, elementCount(shape) / shape.back(), shape.back()};
    if (shape.size() == 2 && (factors == Shape{shape[0]} || factors == Shape{shape[0], 1}))
        return {scale.file, scale.tensor, 1, shape[1]};
    std::int64_t block[] = {usualBlock, usualBlock};
    std::error_code ignored;
    if (fs::exists(directory / "config.json", ignored)) {
        const JsonObject config(directory / "config.json");
        const bool isSaid =
            config.has("quantization_config") && config.requireObject("quantization_config").has("weight_block_size");
        if (isSaid) {
            const JsonObject quantization = config.requireObject("quantization_config");
            const std::string expected = "a list of two sizes";
            const Json& sizes = quantization.requireList("weight_block_size", expected);
            for (std::size_t i = 0; i < 2; ++i) {
                if (sizes.size() != 2 || !sizes[i].is_number_unsigned() || sizes[i] < 1 || sizes[i] > 1 << 20)
                    quantization.refuse("weight_block_size", expected);
                block[i] = sizes[i].get<std::int64_t>();
            }
        }
    }
    if (shape.size() != 2
        || factors != Shape{(shape[0] + block[0] - 1) / block[0], (shape[1] + block[1] - 1) / block[1]})
        throw Error(ErrorKind::Format, fmt::format("{}: {}", scale.file->where(), name),
                    fmt::format("has scales of the shape [{}] for blocks of {} x {} values in [{}]",
                                fmt::join(factors, ", "), block[0], block[1], fmt::join(shape, ", ")),
                    "the weights and their scales do not belong together");
    return {scale.file, scale.tensor, block[0], block[1]};
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
    if (stored.axes.empty() && !found->second.scale)
        return stored.view;
    return TensorView{stored.view.dtype, stored.view.shape, {}};
}

std::optional<Checkpoint::Kept> FileCheckpoint::asStored(std::string_view tensor) const
{
    const auto found = m_places.find(tensor);
    if (found == m_places.end() || found->second.scale || found->second.tensor->axes.empty())
        return Checkpoint::asStored(tensor);
    auto bytes = storedInOrder(*found->second.tensor);
    if (!bytes)
        return std::nullopt;
    found->second.file->requireUnchanged();
    const TensorView& view = found->second.tensor->view;
    const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
    return Kept{{view.dtype, view.shape, *kept}, kept};
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
    Tensor values = place.file->read(*place.tensor);
    if (!place.scale)
        return values;
    const Tensor factors = place.scale->file->read(*place.scale->tensor);
    const std::int64_t columns = values.shape().back();
    const std::int64_t across = (columns + place.scale->columns - 1) / place.scale->columns;
    for (std::int64_t i = 0; i < std::ssize(values.values()); ++i)
        values.data()[i] *=
            factors.data()[i / columns / place.scale->rows * across + i % columns / place.scale->columns];
    return values;
}

} // namespace

std::shared_ptr<const Checkpoint> openCheckpoint(const fs::path& path, std::span<const GgufLayout> architectures)
{
    const fs::path weights = weightsPath(path);
    const auto checkpoint = std::make_shared<FileCheckpoint>(weights.string());
    if (isGgufFile(weights)) {
        checkpoint->addGguf(ggufParts(weights), architectures);
        return checkpoint;
    }
    if (!weights.filename().string().ends_with(indexEnding)) {
        checkpoint->add(weights);
        checkpoint->attachScales(weights.parent_path());
        return checkpoint;
    }
    const WeightMap map = readWeightMap(weights);
    for (const std::string& shard : shardsOf(map, weights))
        checkpoint->add(weights.parent_path() / shard);
    checkpoint->check(map, weights);
    checkpoint->attachScales(weights.parent_path());
    return checkpoint;
}

} // namespace attn
