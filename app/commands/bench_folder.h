// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace attn::app {

// Names of the files of a benchmark that fill a disk.
inline constexpr auto benchConfig = "config.json";
inline constexpr auto benchWeights = "model.safetensors";
inline constexpr auto benchMaps = "maps.npz";

// A temporary folder for the files of a benchmark, which goes with them when this does.
class BenchFolder
{
public:
    BenchFolder(); // Throws Error{File}
    ~BenchFolder();
    BenchFolder(const BenchFolder&) = delete;
    BenchFolder& operator=(const BenchFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace attn::app
