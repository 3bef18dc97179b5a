// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/linear.h"
#include "nn/primitives.h"
#include "nn/stored_rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace attn {

// Private to core/nn: what linear layers are made of, and how oneDNN multiplies their packed weights.

using DataType = dnnl::memory::data_type;
using Dims = dnnl::memory::dims;
using Layout = dnnl::memory::desc;

constexpr std::int64_t pieceBytes = std::int64_t{1} << 24; // of weights that are put into another layout at once
constexpr std::int64_t pieceRows = 256; // a multiple of every block that a packed layout has

// Types of the inputs and of the packed weights.
struct ProductTypes
{
    DataType inputs = DataType::f32;
    DataType weights = DataType::f32;
};

ProductTypes productTypes(Precision precision, DType stored, std::int64_t outputs);

// W^T as the checkpoint stores W: [inputs, outputs], columns contiguous.
Layout plainWeights(std::int64_t inputs, std::int64_t outputs, DataType type);
// The layout that oneDNN prefers; the same for every number of rows. Where it has no packed one, the stored layout is
// as fast.
Layout preferredWeights(const PrimitiveCache& primitives, const PrimitiveKey& key, DataType type);
// Reorders the weights into `packed`, which `layout` describes. `product` is the key of the layer's products; one
// thread, because memory is what this waits for.
void pack(PrimitiveCache& primitives, const PrimitiveKey& product, const WeightMatrix& weight, const Layout& layout,
          const AlignedBuffer& packed);

// Rows, then what a linear layer is: its key in the cache, without what follows the product.
PrimitiveKey linearKey(int threads, std::int64_t rows, int inputs, int outputs, bool bias, ProductTypes types);
// Fields of a key that follow those: whether the output is added to, the activation after it, and, of
// a product of some columns, how many blocks of what width.
constexpr std::size_t addsValue = 6;
constexpr std::size_t activationValue = 7;
constexpr std::size_t blocksValue = 8;
constexpr std::size_t widthValue = 9;

void describeThen(PrimitiveKey& key, bool adds, std::optional<Activation> activation);
// Operations after the product in the same pass.
dnnl::post_ops inPlace(bool adds, std::optional<Activation> activation);
dnnl::matmul::primitive_desc describeProduct(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                             const PrimitiveKey& key, const Layout& weights);
// The same with some columns of plain weights: [blocks, inputs, width].
dnnl::matmul::primitive_desc describeColumns(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                             const PrimitiveKey& key);
PrimitiveParts makeProduct(const dnnl::matmul::primitive_desc& descriptor);

// oneDNN (2.6 and 3.7) has two kernels for these products. That for packed weights adds in the same order on any team
// that has no more threads than there are blocks of outputs; beyond, 3.7 may divide the sums. That for plain weights,
// on processors without AVX-512, does so at any time. It is therefore given the columns in blocks, as a batch of
// products that share their input, which adds in the same order on any team that divides them evenly, and is as fast.

bool sameOnAnyTeam(ProductTypes types);
int packedBlocks(int rows, int inputs, int outputs);
// So many blocks that most threads have something to do, also when others hold some cores.
int columnBlocks(int outputs, int threads);

struct Linear::Packed
{
    Layout layout;
    ProductTypes types;
    int columnBlocks = 1; // of plain float32 weights
    bool sameOnAnyTeam = false;
    AlignedBuffer values;
    mutable std::once_flag measured;
    mutable double largest = 0; // magnitude, once it is measured
};

struct Linear::Stored
{
    TensorView weights;
    std::shared_ptr<const void> owner;
    std::function<void()> check;
    StoredRows multiply = nullptr;
    RoundedRows multiplyRounded = nullptr; // null: what is rounded is multiplied as any other input
    RoundedPanels multiplyPanels = nullptr; // likewise, of many rows
};

} // namespace attn
