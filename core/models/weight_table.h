// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/weight_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// The name of a matrix, or of the scale of a normalisation.
inline std::string weightOf(const std::string& part)
{
    return part + ".weight";
}

// What reads a part of a model once all of the model's tensors are known to be there.
template<typename Part>
using Weight = std::function<Part(WeightReader&)>;

// None where the model has no such part.
template<typename Part>
std::optional<Part> readIf(const std::optional<Weight<Part>>& weight, WeightReader& reader)
{
    return weight ? std::optional<Part>((*weight)(reader)) : std::nullopt;
}

// The tensors that a family expects of a checkpoint, each written once: declaring a part gives what reads it.
class WeightTable
{
public:
    Weight<Tensor> tensor(const std::string& name, Shape shape);
    // [rows, width], whose rows are looked up where they are stored.
    Weight<Embedding> embedding(const std::string& name, Shape shape);
    // weight: [outputs, inputs]. bias: empty or a tensor of `outputs` values, stored with the shape biasShape.
    Weight<Linear> matrix(const std::string& weight, Shape shape, const std::string& bias = {}, Shape biasShape = {});
    // name.weight [outputs, inputs] and, with a bias, name.bias [outputs].
    Weight<Linear> linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias = true);
    // name.weight [width] and, unless it is a root mean square, name.bias [width].
    Weight<Norm> norm(const std::string& name, std::int64_t width, float epsilon, bool rms = false);
    // GPT-2's Conv1D, `parts` layers of equal size: name.weight [inputs, outputs] and name.bias [outputs].
    Weight<std::vector<Linear>> convolution(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                                            int parts);

    // Where the values are once they are read, the dearest of several last.
    enum class Use : std::uint8_t { LookedUp, Packed, Widened }; // in the mapped file, in a linear layer, as float32
    struct Entry
    {
        Shape shape;
        Use use = Use::Widened;
    };
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    // Bytes of memory that reading this checkpoint takes at its height; one tensor at a time may exist twice.
    std::uint64_t neededMemory(const Checkpoint& checkpoint, const Engine& engine) const;

private:
    void expect(const std::string& name, Shape shape, Use use = Use::Widened);

    std::map<std::string, Entry> m_entries;
};

} // namespace attn
