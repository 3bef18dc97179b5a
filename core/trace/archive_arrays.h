// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy_stream.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace attn {

class NpzReader;

// The arrays of an archive that is being read: their shapes are known at once, their values come once, when they are
// asked for.
class ArchiveArrays
{
public:
    explicit ArchiveArrays(const std::filesystem::path& path); // .npz or .json. Throws Error{File, Format}
    ~ArchiveArrays();
    ArchiveArrays(const ArchiveArrays&) = delete;
    ArchiveArrays& operator=(const ArchiveArrays&) = delete;

    NpyStream* find(const std::string& name); // null when there is none

private:
    std::unique_ptr<NpzReader> m_npz; // what the arrays are read from
    std::map<std::string, NpyStream> m_arrays;
};

} // namespace attn
