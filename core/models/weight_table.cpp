// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/weight_table.h"

#include <algorithm>
#include <utility>

namespace attn {

void WeightTable::expect(const std::string& name, Shape shape, Use use)
{
    const auto [entry, inserted] = m_entries.try_emplace(name, Entry{std::move(shape), use});
    if (!inserted) // a tied table
        entry->second.use = std::max(entry->second.use, use);
}

Weight<Tensor> WeightTable::tensor(const std::string& name, Shape shape)
{
    expect(name, std::move(shape));
    return [name](WeightReader& reader) { return reader.tensor(name); };
}

Weight<Embedding> WeightTable::embedding(const std::string& name, Shape shape)
{
    expect(name, std::move(shape), Use::LookedUp);
    return [name](WeightReader& reader) { return reader.embedding(name); };
}

Weight<Linear> WeightTable::matrix(const std::string& weight, Shape shape, const std::string& bias, Shape biasShape)
{
    expect(weight, std::move(shape), Use::Packed);
    if (!bias.empty())
        expect(bias, std::move(biasShape));
    return [weight, bias](WeightReader& reader) { return reader.linear(weight, bias); };
}

Weight<Linear> WeightTable::linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias)
{
    return matrix(name + ".weight", {outputs, inputs}, bias ? name + ".bias" : std::string(), {outputs});
}

Weight<Norm> WeightTable::norm(const std::string& name, std::int64_t width, float epsilon, bool rms)
{
    expect(name + ".weight", {width});
    if (!rms)
        expect(name + ".bias", {width});
    return [=](WeightReader& reader) -> Norm {
        if (rms)
            return reader.rmsNorm(name, epsilon);
        return reader.layerNorm(name, epsilon);
    };
}

Weight<std::vector<Linear>> WeightTable::convolution(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                                                     int parts)
{
    expect(name + ".weight", {inputs, outputs}, Use::Packed);
    expect(name + ".bias", {outputs});
    return [=](WeightReader& reader) { return reader.convolution(name + ".weight", name + ".bias", parts); };
}

std::uint64_t WeightTable::neededMemory(const Checkpoint& checkpoint, const Engine& engine) const
{
    std::uint64_t all = 0;
    std::uint64_t largest = 0;
    for (const auto& [name, entry] : m_entries) {
        if (entry.use == Use::LookedUp)
            continue;
        const std::size_t each = entry.use == Use::Packed
            ? Linear::bytesPerWeight(engine, checkpoint.find(name).value().dtype)
            : sizeof(float);
        const std::uint64_t bytes = static_cast<std::uint64_t>(elementCount(entry.shape)) * each;
        all += bytes;
        largest = std::max(largest, bytes);
    }
    return all + largest;
}

} // namespace attn
