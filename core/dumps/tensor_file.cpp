// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/tensor_file.h"

#include "base/error.h"
#include "io/npz.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace attn {

namespace {

template<class Stored>
std::vector<std::int64_t> widened(std::span<const std::byte> bytes)
{
    std::vector<std::int64_t> values(bytes.size() / sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Stored value{};
        std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        values[i] = value;
    }
    return values;
}

void add(TensorFile& file, const StoredTensors& tensors)
{
    for (const auto& [name, tensor] : tensors) {
        const DType type = tensor.view.dtype;
        NamedTensor named{tensor.view.shape, type == DType::I64 || type == DType::I32, [tensor] {
                              const Tensor values = toFloat32(tensor);
                              return std::vector<float>(values.values().begin(), values.values().end());
                          }};
        if (tensor.axes.empty() && type == DType::I64)
            named.integers = [bytes = tensor.view.bytes] { return widened<std::int64_t>(bytes); };
        else if (tensor.axes.empty() && type == DType::I32)
            named.integers = [bytes = tensor.view.bytes] { return widened<std::int32_t>(bytes); };
        file.tensors.emplace(name, std::move(named));
    }
}

void add(TensorFile& file, const std::shared_ptr<const NpzReader>& npz)
{
    for (const std::string& name : npz->names()) {
        const auto array = npz->open(name);
        NamedTensor named{array->shape(), array->kind() == NpyKind::Signed || array->kind() == NpyKind::Unsigned,
                          [npz, name] {
                              NpyStream stream = *npz->open(name);
                              const auto values = stream.floats(stream.size());
                              return std::vector<float>(values.begin(), values.end());
                          }};
        if (named.isWhole)
            named.integers = [npz, name] { return npz->find(name)->integers(); };
        if (array->kind() != NpyKind::Text)
            file.tensors.emplace(name, std::move(named));
    }
}

} // namespace

bool isTensorFile(const DumpFile& file)
{
    return isSafetensors(file.bytes()) || isTorchFile(file.bytes());
}

TensorFile readTensorFile(const DumpFile& file)
{
    TensorFile result;
    if (isSafetensors(file.bytes())) {
        add(result, readSafetensors(file.bytes(), file.where()));
        return result;
    }
    constexpr std::string_view zipStart = "PK";
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    if (text.starts_with(zipStart)) {
        const auto npz = std::make_shared<const NpzReader>(file.bytes(), file.where());
        if (!npz->names().empty()) { // else it is one of torch.save
            add(result, npz);
            return result;
        }
    }
    TorchContent content = readTorchContent(file.bytes(), file.where());
    add(result, content.tensors);
    result.numbers = std::move(content.numbers);
    return result;
}

} // namespace attn
