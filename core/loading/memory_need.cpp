// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/memory_need.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attn {

namespace {

bool isFloat(DType dtype)
{
    return dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F64
        || dtype == DType::Q8_0;
}

template<std::size_t Count>
bool endsWithAny(std::string_view name, const std::array<std::string_view, Count>& endings)
{
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// Tables of words are also the output matrix where no other one is stored.
bool isWordTable(std::string_view name)
{
    return endsWithAny(name,
                       std::array<std::string_view, 4>{"embed_tokens.weight", "wte.weight", "word_embeddings.weight",
                                                       "shared.weight"});
}

bool isPositionTable(std::string_view name)
{
    return endsWithAny(name,
                       std::array<std::string_view, 4>{"wpe.weight", "position_embeddings.weight",
                                                       "embed_positions.weight", "token_type_embeddings.weight"});
}

} // namespace

std::uint64_t neededMemory(const Checkpoint& checkpoint)
{
    const bool hasOutput = checkpoint.find("lm_head.weight").has_value();
    std::uint64_t all = 0;
    std::uint64_t largest = 0;
    for (const std::string& name : checkpoint.tensorNames()) {
        const auto view = checkpoint.find(name);
        if (!isFloat(view->dtype) || isPositionTable(name) || (hasOutput && isWordTable(name)))
            continue;
        const std::uint64_t bytes = static_cast<std::uint64_t>(elementCount(view->shape)) * sizeof(float);
        all += bytes;
        largest = std::max(largest, bytes);
    }
    return all + largest;
}

} // namespace attn
