// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "tensor/number_view.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attn {

// Pixels of 8-bit RGB, row by row, top left first.
struct Picture
{
    Index width = 0;
    Index height = 0;
    std::vector<std::uint8_t> rgb; // [height, width, 3]

    friend bool operator==(const Picture&, const Picture&) = default;
};

// A picture or a sound that a model has read, and how it is divided into the places of its tokens. Shared by all runs
// on it.
struct SourceMedia
{
    Index rows = 0; // of the grid of patches; 0: a sound
    Index columns = 0;
    std::shared_ptr<const Picture> picture = {}; // upright, over white, for people to see; null: not kept
    std::shared_ptr<const std::vector<float>> audio = {}; // at `rate`, one channel; null: not kept
    int rate = 0; // samples of a second
    double unread = 0; // seconds of the sound behind what was read
    std::shared_ptr<const Numbers> input =
        {}; // what enters the model: [3, height, width] or [bands, frames]; null: not kept
    std::string about = {}; // file and sizes, a JSON object as archives' metadata have it (formats.md section 4)

    bool isPicture() const { return rows > 0; }
};

} // namespace attn
