// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "media/picture_processor.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

namespace attn {

namespace {

constexpr Index longestSide = 30000; // of pictures that are read, pixels
constexpr std::int64_t mostPixels = 100'000'000;
constexpr Index shownSide = 1024;
constexpr Index largestInput = 8192; // pixels a side

constexpr std::array<float, 3> openAiMean = {0.48145466F, 0.4578275F, 0.40821073F};
constexpr std::array<float, 3> openAiDeviation = {0.26862954F, 0.26130258F, 0.27577711F};
constexpr std::array<float, 3> halves = {0.5F, 0.5F, 0.5F};

// Settings of a class of processors that its file need not name.
struct ProcessorClass
{
    std::string_view name;
    Index size = 224;
    Resampling resampling = Resampling::Bilinear;
    bool byShortestEdge = false; // what a size of one number means
    Index crop = 0; // 0: none
    const std::array<float, 3>& mean = halves;
    const std::array<float, 3>& deviation = halves;
};

const ProcessorClass classes[] = {
    {.name = "ViTImageProcessor"},
    {.name = "DeiTImageProcessor", .size = 256, .resampling = Resampling::Bicubic, .crop = 224},
    {.name = "SiglipImageProcessor", .resampling = Resampling::Bicubic},
    {"CLIPImageProcessor", 224, Resampling::Bicubic, true, 224, openAiMean, openAiDeviation},
    {"BitImageProcessor", 224, Resampling::Bicubic, true, 224, openAiMean, openAiDeviation},
    {"BlipImageProcessor", 384, Resampling::Bicubic, false, 0, openAiMean, openAiDeviation},
};

// Keys that name another computation where they are on, besides all that begin with "do_".
constexpr std::string_view changing[] = {"crop_pct", "pad_size", "patch_size", "size_divisor"};
constexpr std::string_view known[] = {"do_center_crop",   "do_convert_rgb", "do_normalize",
                                      "do_reduce_labels", "do_rescale",     "do_resize"};

const ProcessorClass& classOf(const JsonObject& file)
{
    for (const char* const field : {"image_processor_type", "feature_extractor_type"}) {
        const std::string type = file.stringOr(field, {});
        if (type.empty())
            continue;
        const auto found = std::ranges::find_if(classes, [&](const ProcessorClass& one) {
            constexpr std::string_view ending = "ImageProcessor";
            const std::string older(one.name.substr(0, one.name.size() - ending.size()));
            return type == one.name || type == std::string(one.name) + "Fast" || type == older + "FeatureExtractor";
        });
        if (found == std::end(classes))
            throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), field),
                        fmt::format("'{}' is not supported", type),
                        "the image processors of ViT, DeiT, CLIP, SigLIP, Bit and BLIP are");
        return *found;
    }
    return classes[0];
}

void refuseOthers(const JsonObject& file)
{
    for (const std::string& field : file.fields()) {
        const Json* const value = file.find(field);
        const bool isOff = value == nullptr || *value == false;
        const bool changes = (field.starts_with("do_") && std::ranges::find(known, field) == std::end(known))
            || std::ranges::find(changing, field) != std::end(changing);
        if (changes && !isOff)
            throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), field),
                        "names a step that is not computed", "models whose processor is without it can be opened");
    }
}

PixelSize sizeIn(const JsonObject& object)
{
    const Index height = object.requireInt("height", 1, largestInput);
    return {height, object.requireInt("width", 1, largestInput)};
}

void readSize(const JsonObject& file, const ProcessorClass& own, PictureProcessor& result)
{
    const Json* const value = file.find("size");
    Index one = own.size;
    bool byShortest = own.byShortestEdge;
    if (value != nullptr && value->is_object()) {
        const JsonObject size = file.requireObject("size");
        if (size.has("height") || size.has("width")) {
            result.size = sizeIn(size);
            return;
        }
        byShortest = true;
        one = size.requireInt("shortest_edge", 1, largestInput);
        result.longestEdge = size.optionalInt("longest_edge", 1, largestInput);
    } else if (value != nullptr) {
        one = file.requireInt("size", 1, largestInput);
    }
    if (byShortest)
        result.shortestEdge = one;
    else
        result.size = {one, one};
}

void readCrop(const JsonObject& file, const ProcessorClass& own, PictureProcessor& result)
{
    if (!file.boolOr("do_center_crop", own.crop > 0))
        return;
    const Json* const value = file.find("crop_size");
    if (value != nullptr && value->is_object()) {
        result.crop = sizeIn(file.requireObject("crop_size"));
        return;
    }
    const Index side = value != nullptr ? file.requireInt("crop_size", 1, largestInput)
                                        : std::max<Index>(own.crop, own.crop > 0 ? 1 : own.size);
    result.crop = {side, side};
}

std::array<float, 3> readChannels(const JsonObject& file, std::string_view field, const std::array<float, 3>& fallback,
                                  bool divides)
{
    const Json* const value = file.find(field);
    std::array<float, 3> result = fallback;
    if (value == nullptr)
        return result;
    const char* const expected = divides ? "three numbers that are not 0" : "three numbers";
    const Json& numbers = file.requireList(field, expected);
    if (numbers.size() != result.size())
        file.refuse(field, expected);
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (!numbers[i].is_number())
            file.refuse(field, expected);
        result[i] = static_cast<float>(numbers[i].get<double>());
        if (!std::isfinite(result[i]) || (divides && result[i] == 0))
            file.refuse(field, expected);
    }
    return result;
}

PixelSize resizedSize(const PictureProcessor& processor, const Picture& picture)
{
    if (!processor.resizes)
        return {picture.height, picture.width};
    if (!processor.shortestEdge)
        return processor.size;
    const bool isTall = picture.height > picture.width;
    const double shorter = std::min(picture.width, picture.height);
    const double longer = std::max(picture.width, picture.height);
    const double shortSide = *processor.shortestEdge;
    const double limit = processor.longestEdge.value_or(0);
    double longSide = std::trunc(shortSide * longer / shorter);
    double side = shortSide;
    if (limit > 0 && longSide > limit) {
        side = std::trunc(limit * shortSide / longSide);
        longSide = limit;
    }
    if (side * longSide > static_cast<double>(mostPixels) || side < 1)
        throw Error(ErrorKind::Input, "picture",
                    fmt::format("of {} x {} pixels would be read as {:.0f} x {:.0f}", picture.width, picture.height,
                                isTall ? side : longSide, isTall ? longSide : side),
                    "cut it to a part that is less narrow");
    const auto shortPixels = static_cast<Index>(side);
    const auto longPixels = static_cast<Index>(longSide);
    return isTall ? PixelSize{longPixels, shortPixels} : PixelSize{shortPixels, longPixels};
}

} // namespace

std::optional<PixelSize> PictureProcessor::output() const
{
    if (crop)
        return crop;
    return resizes && !shortestEdge ? std::optional(size) : std::nullopt;
}

PictureProcessor readPictureProcessor(const JsonObject* whole, std::optional<PixelSize> image)
{
    PictureProcessor result;
    if (whole == nullptr) {
        result.assumed = true;
        result.size = image.value_or(result.size);
        return result;
    }
    const JsonObject file = whole->has("image_processor") ? whole->requireObject("image_processor") : *whole;
    const ProcessorClass& own = classOf(file);
    refuseOthers(file);
    result.resizes = file.boolOr("do_resize", true);
    readSize(file, own, result);
    const auto resample = file.optionalInt("resample", 0, 5).value_or(static_cast<int>(own.resampling));
    if (resample < 1 || resample > 3)
        throw Error(ErrorKind::Unsupported, file.where() + ": resample", fmt::format("{} is not supported", resample),
                    "1 Lanczos, 2 bilinear and 3 bicubic are");
    result.resampling = static_cast<Resampling>(resample);
    readCrop(file, own, result);
    result.factor =
        file.boolOr("do_rescale", true) ? static_cast<float>(file.numberOr("rescale_factor", 1.0 / 255)) : 1.0F;
    if (!std::isfinite(result.factor))
        file.refuse("rescale_factor", "a finite number");
    result.normalizes = file.boolOr("do_normalize", true);
    result.mean = readChannels(file, "image_mean", own.mean, false);
    result.deviation = readChannels(file, "image_std", own.deviation, true);
    return result;
}

PreparedPicture prepared(const PictureProcessor& processor, const Picture& picture)
{
    PreparedPicture result;
    result.resized = resizedSize(processor, picture);
    const Picture small = resized(picture, result.resized.width, result.resized.height, processor.resampling);
    const PixelSize size = processor.crop.value_or(result.resized);
    const auto before = [](Index whole, Index part) { // half of what is cut away, rounded down
        return static_cast<Index>(std::floor((whole - part) / 2.0));
    };
    result.left = before(small.width, size.width);
    result.top = before(small.height, size.height);
    result.pixels = Numbers::zeros(3, size.height, size.width);
    for (Index channel = 0; channel < 3; ++channel) {
        const auto c = static_cast<std::size_t>(channel);
        const auto valueOf = [&](int stored) {
            const float value = static_cast<float>(stored) * processor.factor;
            return processor.normalizes ? (value - processor.mean[c]) / processor.deviation[c] : value;
        };
        for (Index y = 0; y < size.height; ++y) {
            const auto row = result.pixels.view().row(channel, y);
            const Index from = y + result.top;
            for (Index x = 0; x < size.width; ++x) {
                const Index column = x + result.left;
                const bool inside = from >= 0 && from < small.height && column >= 0 && column < small.width;
                row[static_cast<std::size_t>(x)] =
                    valueOf(inside ? small.rgb[(std::size_t(from) * small.width + column) * 3 + c] : 0);
            }
        }
    }
    return result;
}

Picture shownPicture(const Picture& picture)
{
    const Index longer = std::max(picture.width, picture.height);
    if (longer <= shownSide)
        return picture;
    const auto scaled = [&](Index side) {
        return side == longer ? shownSide
                              : std::max<Index>(1, static_cast<Index>(double(shownSide) * side / longer + 0.5));
    };
    return resized(picture, scaled(picture.width), scaled(picture.height), Resampling::Bilinear);
}

void requirePictureSize(std::int64_t width, std::int64_t height, const std::string& where)
{
    if (width < 1 || height < 1)
        throw Error(ErrorKind::Format, where, "has no pixels");
    if (width >= longestSide || height >= longestSide || width * height >= mostPixels)
        throw Error(
            ErrorKind::Input, where,
            fmt::format("has {} x {} pixels; pictures of less than 100 million pixels and less than {} a side are read",
                        width, height, longestSide),
            "make it smaller");
}

} // namespace attn
