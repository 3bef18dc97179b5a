// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "io/json.h"
#include "tensor/number_view.h"
#include "trace/source_media.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Filters by the numbers that preprocessor_config.json has for them.
enum class Resampling : std::uint8_t { Lanczos = 1, Bilinear = 2, Bicubic = 3 };

// Samples first, first + 1, ... that one output sample is made of, and their weights, whose sum is 1.
struct FilterTaps
{
    Index first = 0;
    std::vector<double> weights;
};

// Taps of each of `to` samples made of `from`, with antialiasing where they become fewer (Pillow's arithmetic).
std::vector<FilterTaps> filterTaps(Resampling filter, Index from, Index to);

// Bit for bit what Pillow makes of it: horizontal before vertical, each with 8-bit results; a side that keeps its size
// is not filtered.
Picture resized(const Picture& picture, Index width, Index height, Resampling filter);

// A decoded file.
struct PictureFile
{
    Picture picture; // upright, over white
    std::string sha256; // of the file's bytes
};

// Decodes a file of a picture. Throws Error{File, Format, Input, Unsupported} naming it.
using ReadPicture = std::function<PictureFile(const std::string& path)>;

// Rows and columns of pixels.
struct PixelSize
{
    Index height = 0;
    Index width = 0;

    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

// Steps from a picture to what a model reads, in this order (resources/documentation/formats.md section 4).
struct PictureProcessor
{
    bool resizes = true;
    PixelSize size = {224, 224}; // that it is resized to, unless its shortest edge says so
    std::optional<Index> shortestEdge = {};
    std::optional<Index> longestEdge = {}; // at most, of a picture that is resized by its shortest
    Resampling resampling = Resampling::Bilinear;
    std::optional<PixelSize> crop = {}; // in the middle
    float factor = 1.0F / 255; // of 8-bit values; 1: they stay as they are
    bool normalizes = true;
    std::array<float, 3> mean = {0.5F, 0.5F, 0.5F};
    std::array<float, 3> deviation = {0.5F, 0.5F, 0.5F};
    bool assumed = false; // no file says so

    // Size of every picture afterwards; none where that depends on the picture.
    std::optional<PixelSize> output() const;
};

// A picture as a model reads it, and where that lies in the upright picture.
struct PreparedPicture
{
    Numbers pixels; // [3, height, width]
    PixelSize resized;
    Index left = 0; // of the crop in the resized picture, negative where it was padded
    Index top = 0;
};

// file: preprocessor_config.json; null where there is none, then the picture is resized to `image`, the model's size.
// Throws Error{Format, Unsupported} naming the field.
PictureProcessor readPictureProcessor(const JsonObject* file, std::optional<PixelSize> image);

// Throws Error{Input} for a picture that would become larger than any that is read.
PreparedPicture prepared(const PictureProcessor& processor, const Picture& picture);

// Picture that is kept beside a run: its longer side is at most 1,024.
Picture shownPicture(const Picture& picture);

// The largest that are read. Refused from a file's header; `where` is the file. Throws Error{Input}.
void requirePictureSize(std::int64_t width, std::int64_t height, const std::string& where);

} // namespace attn
