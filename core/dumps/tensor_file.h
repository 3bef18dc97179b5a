// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/stored_tensor.h"
#include "dumps/dump.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A named array of a safetensors file, a torch.save file or an .npz archive, whose values are read when asked for.
struct NamedTensor
{
    Shape shape;
    bool isWhole = false; // integers
    std::function<std::vector<float>()> floats;
    std::function<std::vector<std::int64_t>()> integers = {};
};

struct TensorFile
{
    std::map<std::string, NamedTensor, std::less<>> tensors;
    std::map<std::string, double, std::less<>> numbers = {}; // beside them, in a torch.save file
};

// Whether a file begins as one of these.
bool isTensorFile(const DumpFile& file);
// The file must outlive what is read. Throws Error{Format, Unsupported}.
TensorFile readTensorFile(const DumpFile& file);

} // namespace attn
