// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"

#include "base/error.h"
#include "checkpoint/file_checkpoint.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::array weightFiles = {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                                    "pytorch_model.bin.index.json"};
constexpr auto indexEnding = ".index.json";

std::vector<fs::path> ggufFiles(const fs::path& directory)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored))
        if (entry.path().extension() == ".gguf")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

} // namespace

Tensor Checkpoint::load(std::string_view tensor, const Shape& shape) const
{
    const auto view = find(tensor);
    if (!view)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", name(), tensor),
                    fmt::format("is missing; config.json asks for it with shape [{}]", fmt::join(shape, ", ")),
                    "the weights do not belong to this config.json");
    if (view->shape != shape)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", name(), tensor),
                    fmt::format("expected shape [{}] from config.json, found [{}]", fmt::join(shape, ", "),
                                fmt::join(view->shape, ", ")),
                    "the weights do not belong to this config.json");
    try {
        return read(tensor);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", name(), tensor), error.problem(), error.advice());
    }
}

fs::path weightsPath(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored))
        return path;
    for (const char* name : weightFiles)
        if (fs::exists(path / name, ignored))
            return path / name;
    const std::vector<fs::path> gguf = ggufFiles(path);
    if (gguf.size() > 1)
        throw Error(ErrorKind::File, path.string(),
                    fmt::format("holds {} GGUF files and no {}", gguf.size(), weightFiles.front()),
                    fmt::format("name one of them, such as {}", gguf.front().filename().string()));
    if (gguf.empty())
        throw Error(ErrorKind::File, path.string(),
                    fmt::format("holds no {}, pytorch_model.bin or GGUF file", weightFiles.front()),
                    "name a checkpoint directory");
    return gguf.front();
}

std::shared_ptr<const Checkpoint> openCheckpoint(const fs::path& path)
{
    const fs::path weights = weightsPath(path);
    if (weights.filename().string().ends_with(indexEnding))
        return FileCheckpoint::sharded(weights);
    return std::make_shared<FileCheckpoint>(weights);
}

} // namespace attn
