// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/weight_file.h"

#include "base/error.h"
#include "checkpoint/gguf_model.h"
#include "checkpoint/identify.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/torch_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// A file that its name says to be of a form that its content is not.
void refuseIfNamedAsAnother(const std::filesystem::path& path, std::span<const std::byte> file)
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

} // namespace

WeightFile::WeightFile(const std::filesystem::path& path, std::span<const GgufLayout> architectures)
    : m_name(path.filename().string())
    , m_file(path)
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
    m_file.release(tensor.view.bytes);
    return values;
}

} // namespace attn
