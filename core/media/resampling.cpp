// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "media/resampling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

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

} // namespace attn
