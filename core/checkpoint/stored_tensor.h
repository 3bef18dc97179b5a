// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// One loop over stored values: so many of them, so many values apart.
struct Axis
{
    std::int64_t size = 0;
    std::int64_t stride = 0;
};

// A tensor in a weight file. Its values lie row by row, or in the order that `axes` say: outermost first, their sizes
// multiplying to the shape's, every reachable value inside view.bytes. One that is not read has no bytes, the type
// Other and says why.
struct StoredTensor
{
    TensorView view;
    std::vector<Axis> axes; // empty: row by row
    std::string problem; // "is stored as F8_E4M3, which is not read"; empty: none
};

using StoredTensors = std::map<std::string, StoredTensor, std::less<>>;

// Row by row, widened. Throws Error{Unsupported} for integers and what is not read.
Tensor toFloat32(const StoredTensor& tensor);

// The bytes of the values row by row, as they are stored; none where rows are not made of whole runs of blocks.
std::optional<std::vector<std::byte>> storedInOrder(const StoredTensor& tensor);

// Whether a file begins as a safetensors file does: a length that fits, then a JSON object.
bool isSafetensors(std::span<const std::byte> file);

// The tensors of a safetensors file: a header length, a JSON header, then values without gaps. The views point into
// `file`; tensors of unknown types are there but cannot be read. Throws Error{Format, Unsupported}; sizes, offsets,
// gaps, overlaps and duplicate names are checked.
StoredTensors readSafetensors(std::span<const std::byte> file, const std::string& where);

// Whether the first bytes are those of torch.save: a zip archive or a pickle.
bool isTorchFile(std::span<const std::byte> file);

// The tensors of a file that PyTorch's torch.save wrote, as a zip archive or in the older form: a dictionary of tensors
// by name, or a dictionary that holds one. The views point into `file`. Nothing in it is run; whatever is not a tensor
// is refused by name or ignored. Throws Error{Format, Unsupported}.
StoredTensors readTorchFile(std::span<const std::byte> file, const std::string& where);

// All that such a file holds, however it is nested: tensors and numbers by the way to them, "layers/0/q/1". A tensor
// that is the whole file has an empty name.
struct TorchContent
{
    StoredTensors tensors;
    std::map<std::string, double, std::less<>> numbers;
};
TorchContent readTorchContent(std::span<const std::byte> file, const std::string& where);

} // namespace attn
