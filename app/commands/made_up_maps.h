// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace attn::app {

struct MapSizes
{
    int layers = 0;
    int heads = 0;
    int tokens = 0;
};

// An archive of an encoder's attention, the same each time, in which no two heads look alike. Throws Error{File}.
void writeMaps(const std::filesystem::path& path, const MapSizes& sizes);

} // namespace attn::app
