// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"

#include "base/error.h"
#include "checkpoint/safetensors.h"
#include "io/mapped_file.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace attn {

namespace {

constexpr auto weightsFile = "model.safetensors";

class SafetensorsCheckpoint final : public Checkpoint
{
public:
    explicit SafetensorsCheckpoint(const std::filesystem::path& path)
        : m_name(path.filename().string())
        , m_file(path)
        , m_tensors(readSafetensors(m_file.bytes(), path.string()))
    {
    }

    std::string name() const override { return m_name; }

    std::vector<std::string> tensorNames() const override
    {
        std::vector<std::string> names;
        names.reserve(m_tensors.size());
        for (const auto& [name, view] : m_tensors)
            names.push_back(name);
        return names;
    }

    std::optional<TensorView> find(std::string_view tensor) const override
    {
        const auto found = m_tensors.find(tensor);
        return found == m_tensors.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::string m_name;
    MappedFile m_file;
    TensorViews m_tensors;
};

[[noreturn]] void explainMissing(const std::filesystem::path& directory)
{
    constexpr std::array others = {"model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json"};
    std::error_code ignored;
    for (const char* other : others)
        if (std::filesystem::exists(directory / other, ignored))
            throw Error(ErrorKind::Unsupported, (directory / other).string(), "this kind of checkpoint is not read",
                        fmt::format("convert the weights to one {}", weightsFile));
    throw Error(ErrorKind::File, directory.string(), fmt::format("holds no {}", weightsFile),
                "name a checkpoint directory");
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
        return toFloat32(*view);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", name(), tensor), error.problem(), error.advice());
    }
}

std::shared_ptr<const Checkpoint> openCheckpoint(const std::filesystem::path& directory)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(directory, ignored))
        return std::make_shared<SafetensorsCheckpoint>(directory);
    const std::filesystem::path weights = directory / weightsFile;
    if (!std::filesystem::exists(weights, ignored))
        explainMissing(directory);
    return std::make_shared<SafetensorsCheckpoint>(weights);
}

} // namespace attn
