// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy.h"
#include "io/npy_stream.h"
#include "io/zip_archive.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Named arrays in a zip archive, as numpy.savez and numpy.savez_compressed write them. Throws Error{File, Format}.
class NpzReader
{
public:
    explicit NpzReader(const std::filesystem::path& path);
    NpzReader(std::span<const std::byte> bytes, std::string where); // bytes outlive the reader

    std::vector<std::string> names() const; // without ".npy"
    bool contains(std::string_view name) const;
    // The array, for as long as the reader lives, or all of it at once; none when there is no such name.
    std::optional<NpyStream> open(std::string_view name) const;
    std::optional<NpyArray> find(std::string_view name) const;

private:
    ZipReader m_zip;
};

class NpzWriter
{
public:
    explicit NpzWriter(Compression compression = Compression::Deflated);

    void add(const std::string& name, const NpyArray& array);
    // Adds float32 numbers that are asked for when the archive is finished or saved. sample: numbers such as these.
    void add(const std::string& name, const NpyArray::Shape& shape, NumberParts parts, std::span<const float> sample);
    // The finished archive. Nothing can be added afterwards.
    std::vector<std::byte> finish();
    // The same into a temporary name beside `path`, then rename.
    void save(const std::filesystem::path& path);
    ByteSource spool(const std::filesystem::path& folder); // likewise, as ZipWriter's

private:
    ZipWriter m_zip;
};

} // namespace attn
