// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <span>
#include <vector>

namespace attn::test {

// Header of a WAV file of samples that are given as numbers.
struct WavFormat
{
    int rate = 16000;
    int channels = 1;
    int bits = 16; // 8: unsigned; -32: float32
    std::uint32_t claimedBytes = 0; // of samples; 0: as many as there are
};

// interleaved: from -1 to 1, all channels of a frame side by side.
inline std::vector<std::byte> wavBytes(std::span<const double> interleaved, const WavFormat& format)
{
    std::vector<std::byte> bytes;
    const auto put = [&](std::uint64_t value, int count) {
        for (int i = 0; i < count; ++i)
            bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    };
    const auto name = [&](const char* text) {
        for (int i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::byte>(text[i]));
    };
    const int width = std::abs(format.bits) / 8;
    const auto size = static_cast<std::uint32_t>(interleaved.size() * static_cast<std::size_t>(width));
    const std::uint32_t claimed = format.claimedBytes > 0 ? format.claimedBytes : size;
    name("RIFF");
    put(36 + claimed, 4);
    name("WAVE");
    name("fmt ");
    put(16, 4);
    put(format.bits < 0 ? 3 : 1, 2);
    put(static_cast<std::uint64_t>(format.channels), 2);
    put(static_cast<std::uint64_t>(format.rate), 4);
    put(static_cast<std::uint64_t>(format.rate) * static_cast<std::uint64_t>(format.channels * width), 4);
    put(static_cast<std::uint64_t>(format.channels * width), 2);
    put(static_cast<std::uint64_t>(std::abs(format.bits)), 2);
    name("data");
    put(claimed, 4);
    for (const double sample : interleaved) {
        if (format.bits < 0) {
            const auto single = static_cast<float>(sample);
            std::uint32_t stored = 0;
            std::memcpy(&stored, &single, sizeof(stored));
            put(stored, width);
            continue;
        }
        const double whole = std::ldexp(1.0, format.bits - 1);
        const auto value = static_cast<std::int64_t>(std::lround(std::fmin(sample * whole, whole - 1)));
        put(static_cast<std::uint64_t>(format.bits == 8 ? value + 128 : value), width);
    }
    return bytes;
}

// A tone of one channel.
inline std::vector<double> tone(double frequency, double seconds, int rate)
{
    std::vector<double> samples(static_cast<std::size_t>(std::lround(seconds * rate)));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = 0.5 * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / rate);
    return samples;
}

} // namespace attn::test
