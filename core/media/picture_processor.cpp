// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "media/picture_processor.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <numbers>
#include <string_view>

namespace attn {

namespace {

constexpr int precisionBits = 22; // of weights in fixed point
constexpr Index channels = 3;

double sinc(double x)
{
    return x == 0 ? 1 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi);
}

double weightAt(Resampling filter, double x)
{
    constexpr double a = -0.5; // slope of the cubic
    const double distance = std::abs(x);
    switch (filter) {
    case Resampling::Bilinear:
        return std::max(0.0, 1 - distance);
    case Resampling::Bicubic:
        if (distance < 1)
            return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
        return distance < 2 ? (((distance - 5) * distance + 8) * distance - 4) * a : 0;
    case Resampling::Lanczos:
        return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
    return 0;
}

double supportOf(Resampling filter)
{
    return filter == Resampling::Bilinear ? 1 : filter == Resampling::Bicubic ? 2 : 3;
}

// Taps with weights in fixed point.
struct FixedTaps
{
    Index first = 0;
    std::vector<std::int32_t> weights;
};

std::vector<FixedTaps> fixedTaps(Resampling filter, Index from, Index to)
{
    std::vector<FixedTaps> result;
    for (const FilterTaps& taps : filterTaps(filter, from, to)) {
        FixedTaps fixed{taps.first, {}};
        for (const double weight : taps.weights)
            fixed.weights.push_back(
                static_cast<std::int32_t>(weight * (1 << precisionBits) + (weight < 0 ? -0.5 : 0.5)));
        result.push_back(std::move(fixed));
    }
    return result;
}

std::uint8_t rounded(std::int32_t sum)
{
    return static_cast<std::uint8_t>(std::clamp(sum >> precisionBits, 0, 255));
}

constexpr std::int32_t half = 1 << (precisionBits - 1);

Picture resizedAcross(const Picture& picture, Index width, Resampling filter)
{
    const std::vector<FixedTaps> taps = fixedTaps(filter, picture.width, width);
    Picture result{width, picture.height, std::vector<std::uint8_t>(std::size_t(width) * picture.height * channels)};
    std::uint8_t* out = result.rgb.data();
    for (Index row = 0; row < picture.height; ++row) {
        const std::uint8_t* const in = picture.rgb.data() + std::size_t(row) * picture.width * channels;
        for (const FixedTaps& tap : taps) {
            std::int32_t sums[channels] = {half, half, half};
            const std::uint8_t* pixel = in + std::ptrdiff_t{tap.first} * channels;
            for (const std::int32_t weight : tap.weights) {
                for (Index channel = 0; channel < channels; ++channel)
                    sums[channel] += *pixel++ * weight;
            }
            for (const std::int32_t sum : sums)
                *out++ = rounded(sum);
        }
    }
    return result;
}

Picture resizedDown(const Picture& picture, Index height, Resampling filter)
{
    const std::size_t stride = std::size_t(picture.width) * channels;
    Picture result{picture.width, height, std::vector<std::uint8_t>(stride * height)};
    std::vector<std::int32_t> sums(stride);
    std::uint8_t* out = result.rgb.data();
    for (const FixedTaps& tap : fixedTaps(filter, picture.height, height)) {
        std::ranges::fill(sums, half);
        const std::uint8_t* in = picture.rgb.data() + tap.first * stride;
        for (const std::int32_t weight : tap.weights) {
            for (std::size_t i = 0; i < stride; ++i)
                sums[i] += in[i] * weight;
            in += stride;
        }
        out = std::ranges::transform(sums, out, rounded).out;
    }
    return result;
}

} // namespace

std::vector<FilterTaps> filterTaps(Resampling filter, Index from, Index to)
{
    const double scale = static_cast<double>(from) / to;
    const double stretch = std::max(scale, 1.0);
    const double reach = supportOf(filter) * stretch;
    std::vector<FilterTaps> result;
    for (Index i = 0; i < to; ++i) {
        const double center = (i + 0.5) * scale;
        FilterTaps taps{std::max(static_cast<Index>(center - reach + 0.5), 0), {}};
        const Index end = std::min(static_cast<Index>(center + reach + 0.5), from);
        double sum = 0;
        for (Index j = taps.first; j < end; ++j) {
            taps.weights.push_back(weightAt(filter, (j - center + 0.5) / stretch));
            sum += taps.weights.back();
        }
        for (double& weight : taps.weights)
            weight /= sum;
        result.push_back(std::move(taps));
    }
    return result;
}

Picture resized(const Picture& picture, Index width, Index height, Resampling filter)
{
    Picture result;
    const Picture* now = &picture;
    if (width != picture.width) {
        result = resizedAcross(*now, width, filter);
        now = &result;
    }
    if (height != picture.height)
        result = resizedDown(*now, height, filter);
    else if (now == &picture)
        result = picture;
    return result;
}

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
