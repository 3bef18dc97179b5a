// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf_metadata.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace attn {

GgufMetadata::GgufMetadata(const GgufFile& file)
    : m_file(file)
    , m_architecture(file.text("general.architecture").value_or(""))
{
    if (file.integer("split.count").value_or(1) > 1)
        throw Error(ErrorKind::Unsupported, file.where(), "is one part of a split model",
                    "merge the parts: llama-gguf-split --merge");
    if (file.integer(key("expert_count")).value_or(0) > 0)
        throw Error(ErrorKind::Unsupported, file.where(), "is a mixture of experts, which is not read");
}

std::optional<std::int64_t> GgufMetadata::optionalSize(std::string_view name) const
{
    constexpr std::int64_t largest = 1 << 24;
    const auto value = m_file.integer(key(name));
    if (value && (*value < 1 || *value > largest))
        m_file.refuse(key(name), fmt::format("is {}, not from 1 to {}", *value, largest));
    return value;
}

std::int64_t GgufMetadata::size(std::string_view name) const
{
    const auto value = optionalSize(name);
    if (!value)
        m_file.refuse(key(name), "is missing");
    return *value;
}

std::optional<double> GgufMetadata::number(std::string_view name) const
{
    const auto value = m_file.number(key(name));
    if (value && !std::isfinite(*value))
        m_file.refuse(key(name), "is not a number");
    return value;
}

GgufHeads GgufMetadata::heads() const
{
    GgufHeads heads;
    heads.queries = size("attention.head_count");
    heads.keys = optionalSize("attention.head_count_kv").value_or(heads.queries);
    heads.features = optionalSize("attention.key_length").value_or(size("embedding_length") / heads.queries);
    if (const auto values = optionalSize("attention.value_length"); values && *values != heads.features)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", where(), key("attention.value_length")),
                    "keys and values of different widths are not read");
    if (heads.features < 1)
        m_file.refuse(key("attention.head_count"), "is larger than the model is wide");
    return heads;
}

const GgufTensor* GgufMetadata::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_file.tensors(), name, &GgufTensor::name);
    return found == m_file.tensors().end() ? nullptr : &*found;
}

std::int64_t GgufMetadata::rows(std::string_view matrix) const
{
    const GgufTensor* const found = find(matrix);
    if (found == nullptr || found->shape.size() != 2)
        throw Error(ErrorKind::Format, where(), fmt::format("holds no matrix {}", matrix),
                    "the file is incomplete or damaged");
    return found->shape.front();
}

std::vector<float> GgufMetadata::numbers(std::string_view tensor, std::int64_t count) const
{
    const GgufTensor* const found = find(tensor);
    if (found == nullptr || found->type != 0 || found->shape != std::vector<std::int64_t>{count}
        || found->bytes.size() / sizeof(float) < static_cast<std::size_t>(count))
        m_file.refuse(tensor, fmt::format("is not a list of {} f32 values", count));
    std::vector<float> values(count);
    std::memcpy(values.data(), found->bytes.data(), values.size() * sizeof(float));
    return values;
}

} // namespace attn
