// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/stored_tensor.h"
#include "support/broken_files.h"
#include "tensor/tensor.h"

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <vector>

namespace attn::test {

inline void write(const std::filesystem::path& path, const Bytes& bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline std::vector<float> valuesOf(const StoredTensors& tensors, const std::string& name)
{
    const Tensor tensor = toFloat32(tensors.at(name));
    return {tensor.values().begin(), tensor.values().end()};
}

} // namespace attn::test
