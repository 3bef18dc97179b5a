// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "checkpoint/checkpoint.h"
#include "nn/embedding.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/normalization.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

struct FamilyInput; // models/families/family.h
struct WeightMemory;
class WeightTable;

enum class NormKind : std::uint8_t {
    Layer, // scale and shift
    LayerUnshifted, // scale alone
    Rms,
    RmsAboveOne, // the scale is 1 + what is stored (Gemma)
};

// Rows of a stored matrix, one after the other.
struct RowRange
{
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// Columns of a stored matrix: every `step`th from `first` on.
struct ColumnRange
{
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

// Reads the tensors that a family expects, each with its name from the checkpoint. Before anything is read all names
// and shapes are compared, every difference is listed in one Error{Format}, and the memory is asked for.
class WeightReader
{
public:
    // checkpoint: the input's, or the same under other names.
    WeightReader(const FamilyInput& input, std::shared_ptr<const Checkpoint> checkpoint, const WeightTable& table);

    // Each throws Error{Cancelled} when stopped.
    Tensor tensor(const std::string& name);
    Embedding embedding(const std::string& name);
    Linear linear(const std::string& weight, const std::string& bias); // bias may be empty: none
    Norm norm(const std::string& prefix, float epsilon, NormKind kind); // prefix.weight and, of Layer, prefix.bias
    // The rows of a matrix that several layers are stored in.
    Linear rows(const std::string& weight, const std::string& bias, std::span<const RowRange> rows);
    // One of several equal parts that are stored one after the other: values [index] of a tensor [parts, ...].
    Tensor part(const std::string& name, std::int64_t index);
    // Values in the form in which they are stored.
    TensorView stored(const std::string& name);
    // Rows of one of several equal matrices that are stored one after the other: of a tensor [parts, outputs, inputs].
    Linear rowsOfPart(const std::string& name, std::int64_t index, RowRange rows, const Tensor& bias = {});
    // Columns of one of several equal matrices, of a tensor [parts, inputs, outputs].
    Linear columnsOfPart(const std::string& name, std::int64_t index, ColumnRange columns, const Tensor& bias);
    // A layer of weights that were put into another order: whole rows.
    Linear made(DType dtype, std::int64_t inputs, std::vector<std::byte> rows, const Tensor& bias);
    // GPT-2's Conv1D: a weight [inputs, outputs] whose outputs are those of `parts` layers of equal size, one after the
    // other.
    std::vector<Linear> convolution(const std::string& weight, const std::string& bias, int parts);

    // Whether a matrix of the type is left as it is stored beside its copy.
    static bool staysBeside(DType dtype);
    // Whether columns of a matrix of the type can stay as they are stored, as rows.
    static bool canTurn(DType dtype);

    // Stored tensors that are not needed, by the names they have in the file, sorted.
    const std::vector<std::string>& ignored() const { return m_ignored; }
    // Values of the expected tensors.
    std::int64_t parameters() const { return m_parameters; }
    Engine& engine() { return m_engine; }
    // Type of most of the values, "f16".
    std::string storedDType() const;

private:
    // Method that packed the matrices, and where that is said; empty: none.
    struct Quantization
    {
        std::string method;
        std::string place;
    };

    void compare(const JsonObject& config) const;
    std::vector<std::string> undescribed() const;
    Quantization quantization(const std::string& said) const;
    void advance(const std::string& name);
    bool stays(DType dtype) const { return m_staysStored || staysBeside(dtype); }
    // Calls make with the stored matrix, which lives as long as the call, or as its owner where it has one.
    template<typename Make>
    void withMatrix(const std::string& name, Make make);

    Engine& m_engine;
    std::shared_ptr<const Checkpoint> m_checkpoint;
    std::map<std::string, Shape> m_expected;
    std::set<std::string> m_packedValues;
    ProgressCallback m_progress;
    std::stop_token m_stop;
    std::vector<std::string> m_ignored;
    std::int64_t m_parameters = 0;
    bool m_staysStored = false;
    std::set<std::string> m_read; // a tied table is read more than once
};

// The name of a matrix, or of the scale of a normalisation.
inline std::string weightOf(const std::string& part)
{
    return part + ".weight";
}

// Reader of a part of a model once all of the model's tensors are known to be there.
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
    // name.weight [width] and, of Layer, name.bias [width].
    Weight<Norm> norm(const std::string& name, std::int64_t width, float epsilon, NormKind kind = NormKind::Layer);
    // Layers whose weights are rows of name.weight [outputs, inputs], with their biases in name.bias [outputs].
    Weight<std::vector<Linear>> fused(const std::string& name, std::int64_t outputs, std::int64_t inputs, bool bias,
                                      std::vector<std::vector<RowRange>> layers);
    // Bytes that are read by WeightReader::stored, of two values each.
    void packedValues(const std::string& name, Shape shape) { expect(name, std::move(shape), Use::PackedValues); }
    // GPT-2's Conv1D, `parts` layers of equal size: name.weight [inputs, outputs] and name.bias [outputs].
    Weight<std::vector<Linear>> convolution(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                                            int parts);

    // Where the values are once they are read, the dearest of several last.
    // In the mapped file, in a linear layer, whose outputs are stored as rows or as columns, as float32, or as two
    // float32 for each byte.
    enum class Use : std::uint8_t { LookedUp, Packed, Transposed, Widened, PackedValues };
    struct Entry
    {
        Shape shape;
        Use use = Use::Widened;
    };
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    // A tensor that is read by WeightReader::part or, of use Packed, rowsOfPart, of use Transposed, columnsOfPart.
    void parts(const std::string& name, Shape shape, Use use = Use::Widened) { expect(name, std::move(shape), use); }
    // Bytes of memory that reading this checkpoint takes at its height; one tensor at a time may exist twice.
    WeightMemory neededMemory(const Checkpoint& checkpoint, const Engine& engine) const;

private:
    void expect(const std::string& name, Shape shape, Use use = Use::Widened);

    std::map<std::string, Entry> m_entries;
};

} // namespace attn
