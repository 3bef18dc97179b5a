// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/pickle.h"
#include "checkpoint/stored_tensor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace attn {

// A block of values that tensors of a torch.save file lie in.
struct TorchStorage
{
    std::string key;
    std::string type; // "FloatStorage"
    DType dtype = DType::F32; // U8 for an untyped one, Other for one that is not read
    std::size_t elementBytes = 4;
    std::int64_t elements = 0; // of the whole storage, or of the view into it
    std::int64_t viewOffset = 0; // first element of the view
};

// What a persistent id in `pickle` names. Throws Error{Format, Unsupported}.
TorchStorage torchStorage(const Pickle& pickle, PickleValue::Ref id, const std::string& where);

// The bytes of a whole storage.
using StorageBytes = std::function<std::span<const std::byte>(const TorchStorage& storage)>;

// The tensors that `pickle` describes. Throws Error{Format, Unsupported}.
StoredTensors torchTensors(const Pickle& pickle, const std::string& where, const StorageBytes& bytes);

} // namespace attn
