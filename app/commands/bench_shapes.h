// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

// Well-known sizes of models, which are measured with random weights.
std::vector<std::string> shapeNames();
bool isShape(std::string_view name);
// The config.json of one of them.
std::string shapeConfig(std::string_view shape);

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

// A checkpoint of such a shape, the same each time, in a BenchFolder.
class ShapeCheckpoint
{
public:
    // A name of shapeNames(). Throws Error{File, Cancelled}.
    ShapeCheckpoint(std::string_view shape, const std::stop_token& stop);

    const std::filesystem::path& folder() const { return m_folder.path(); }

private:
    BenchFolder m_folder;
};

struct MapSizes
{
    int layers = 0;
    int heads = 0;
    int tokens = 0;
};

// An archive of an encoder's attention, the same each time, in which no two heads look alike. Throws Error{File}.
void writeMaps(const std::filesystem::path& path, const MapSizes& sizes);

} // namespace attn::app
