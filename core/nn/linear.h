// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/elementwise.h"
#include "nn/engine.h"
#include "tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace attn {

class AlignedBuffer; // nn/primitives.h

// A layer's weights as they are stored: [outputs, inputs], or, transposed, the columns of [inputs, outputs] from
// `first` on.
struct WeightMatrix
{
    TensorView stored; // of a type that toFloat32 reads
    bool transposed = false;
    std::int64_t first = 0; // of the transposed
    std::int64_t outputs = 0;
    // Called with parts of stored.bytes that have been read; may be empty.
    std::function<void(std::span<const std::byte>)> release = {};
    // Where this is set, a matrix that can stay as it is stored does, in memory that lives as long; check, if any, is
    // called after each product, and throws where the stored values may not be what they were.
    std::shared_ptr<const void> owner = {};
    std::function<void()> check = {};
    bool isCopied = false; // as well, for products of many rows
};

// y = x W^T + b. The weights are copied once, piece by piece, into the layout that is fastest on this processor: as
// float32, or as they are stored where that is as exact and as fast. Weights that stay as they are stored are widened
// as they are multiplied: few rows by stored_rows.h, more by panels that are made of the same layout, whose products
// are those of the whole matrix bit for bit.
class Linear
{
public:
    // weight: [outputs, inputs]; bias: [outputs] or empty.
    Linear(Engine& engine, const Tensor& weight, const Tensor& bias = {});
    Linear(Engine& engine, const WeightMatrix& weight, const Tensor& bias);
    Linear(Linear&&) noexcept;
    Linear& operator=(Linear&&) noexcept;
    ~Linear();

    int inputs() const { return m_inputs; }
    int outputs() const { return m_outputs; }

    // Bytes that a weight stored so takes in a layer of so many outputs.
    static std::size_t bytesPerWeight(const Engine& engine, DType stored, std::int64_t outputs);
    // Whether a matrix of the type that is to stay as it is stored, and be copied as well, does and is.
    struct Kept
    {
        bool stored = false;
        bool copied = true;
    };
    static Kept keptBoth(const Engine& engine, DType stored);
    // Whether a matrix of the type can stay as it is stored.
    static bool canStay(DType stored, bool transposed);

    // input: [rows, inputs]. Returns [rows, outputs].
    Tensor apply(Engine& engine, NumberView input) const;
    // The same, written into output, which has no gaps.
    void apply(Engine& engine, NumberView input, MutableView output) const;
    // Returns f(x W^T + b), in one pass; where oneDNN has f for numbers only and a sum may be none, in two.
    Tensor activated(Engine& engine, NumberView input, Activation activation) const;
    // sums += x W^T + b, in one pass. sums: [rows, outputs] without gaps, not the input itself.
    void addTo(Engine& engine, NumberView input, MutableView sums) const;
    // sums += gradient W: what the gradient of outputs, [rows, outputs], is for inputs, [rows, inputs]. Both without
    // gaps. The weights are unpacked piece by piece, but for those by which no row's gradient depends.
    void addGradient(Engine& engine, NumberView gradient, MutableView sums) const;

private:
    struct Packed;
    struct Stored;
    // Operations on the product in the same pass.
    struct FusedSteps
    {
        bool adds = false; // the output is added to
        std::optional<Activation> activation = {};
    };

    bool staysNumbers(NumberView input) const;
    void addGradientOfAll(Engine& engine, NumberView gradient, MutableView sums) const;
    const std::byte* unpacked(PrimitiveCache& primitives, int first, int count, AlignedBuffer& room) const;
    void run(Engine& engine, NumberView input, MutableView output, FusedSteps then) const;
    void multiply(PrimitiveCache& primitives, NumberView input, MutableView output, std::int64_t work,
                  FusedSteps then) const;
    void multiplyColumns(PrimitiveCache& primitives, NumberView input, MutableView output, std::int64_t work,
                         FusedSteps then) const;

    int m_inputs;
    int m_outputs;
    Tensor m_bias;
    void multiplyRows(Engine& engine, NumberView input, MutableView output, std::int64_t work, FusedSteps then) const;
    void multiplyRounded(Engine& engine, NumberView input, MutableView output, std::int64_t work,
                         FusedSteps then) const;
    void put(std::span<const float> products, int first, FusedSteps then, std::span<float> row) const;
    void multiplyPanels(Engine& engine, NumberView input, MutableView output, FusedSteps then) const;
    void check() const; // that the stored weights are what they were

    int m_roundedBlock = 0; // values of an input that are rounded together; 0: none are
    std::unique_ptr<const Packed> m_packed; // null where the weights only stay as they are stored
    std::unique_ptr<const Stored> m_stored; // null where they do not
};

} // namespace attn
