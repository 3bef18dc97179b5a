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

// A checkpoint of such a shape, the same each time, in a temporary folder that goes when this does.
class ShapeCheckpoint
{
public:
    // A name of shapeNames(). Throws Error{File, Cancelled}.
    ShapeCheckpoint(std::string_view shape, const std::stop_token& stop);
    ~ShapeCheckpoint();
    ShapeCheckpoint(const ShapeCheckpoint&) = delete;
    ShapeCheckpoint& operator=(const ShapeCheckpoint&) = delete;

    const std::filesystem::path& folder() const { return m_folder; }

private:
    void remove() noexcept;

    std::filesystem::path m_folder;
};

} // namespace attn::app
