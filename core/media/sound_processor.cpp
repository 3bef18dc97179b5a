// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "media/sound_processor.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace attn {

namespace {

// A triangle over neighbouring frequencies of a Fourier transform.
struct MelBand
{
    Index first = 0;
    std::vector<double> weights;
};

constexpr double linearUpTo = 1000; // Hz; above, the scale is logarithmic
constexpr double melsUpTo = 15;
const double logarithmicStep = std::log(6.4) / 27;

double melOf(double frequency)
{
    return frequency < linearUpTo ? 3 * frequency / 200 : melsUpTo + std::log(frequency / linearUpTo) / logarithmicStep;
}

double frequencyOf(double mel)
{
    return mel < melsUpTo ? 200 * mel / 3 : linearUpTo * std::exp((mel - melsUpTo) * logarithmicStep);
}

// Bands of height 2 / width, so that noise has equal energy in each (Slaney 1998).
std::vector<MelBand> melBands(const SoundProcessor& processor)
{
    const double highest = melOf(processor.rate / 2.0);
    const auto edge = [&](Index i) { return frequencyOf(highest * i / (processor.bands + 1)); };
    std::vector<MelBand> bands(static_cast<std::size_t>(processor.bands));
    for (Index i = 0; i < processor.bands; ++i) {
        const double left = edge(i);
        const double centre = edge(i + 1);
        const double right = edge(i + 2);
        MelBand& band = bands[static_cast<std::size_t>(i)];
        for (Index bin = 0; bin <= processor.window / 2; ++bin) {
            const double frequency = static_cast<double>(processor.rate) * bin / processor.window;
            const double height =
                std::min((frequency - left) / (centre - left), (right - frequency) / (right - centre));
            if (height <= 0)
                continue;
            if (band.weights.empty())
                band.first = bin;
            band.weights.push_back(height * 2 / (right - left));
        }
    }
    return bands;
}

// The samples with silence behind them, reflected at both ends as far as windows reach.
std::vector<double> padded(const SoundProcessor& processor, std::span<const float> samples)
{
    const std::size_t reach = static_cast<std::size_t>(processor.window) / 2;
    const auto length = static_cast<std::size_t>(processor.samples());
    std::vector<double> signal(length + 2 * reach, 0.0);
    std::copy_n(samples.begin(), std::min(samples.size(), length), signal.begin() + static_cast<std::ptrdiff_t>(reach));
    for (std::size_t i = 1; i <= reach; ++i) {
        signal[reach - i] = signal[reach + i];
        signal[reach + length - 1 + i] = signal[reach + length - 1 - i];
    }
    return signal;
}

} // namespace

Index SoundProcessor::columnsOf(Index count) const
{
    return std::clamp(count / hop / 2, 1, columns());
}

SoundProcessor readSoundProcessor(const JsonObject* file, Index bands)
{
    SoundProcessor result;
    result.bands = bands;
    result.assumed = file == nullptr;
    if (file == nullptr)
        return result;
    constexpr int highestRate = 192000;
    constexpr int longest = 600; // seconds
    constexpr int widest = 1 << 16; // samples of a window
    result.rate = file->optionalInt("sampling_rate", 1, highestRate).value_or(result.rate);
    result.window = file->optionalInt("n_fft", 2, widest).value_or(result.window);
    result.hop = file->optionalInt("hop_length", 1, widest).value_or(result.hop);
    result.seconds = file->optionalInt("chunk_length", 1, longest).value_or(result.seconds);
    if (const auto stored = file->optionalInt("feature_size", 1, std::numeric_limits<Index>::max());
        stored.value_or(bands) != bands)
        throw Error(ErrorKind::Format, fmt::format("{}: feature_size", file->where()),
                    fmt::format("is {}, the model reads {} bands (num_mel_bins)", *stored, bands));
    if (result.window / 2 >= result.samples())
        file->refuse("n_fft", "fewer samples than chunk_length seconds have");
    return result;
}

Numbers logMelSpectrogram(const SoundProcessor& processor, std::span<const float> samples)
{
    const std::vector<MelBand> bands = melBands(processor);
    const std::vector<double> signal = padded(processor, samples);
    std::vector<double> window(static_cast<std::size_t>(processor.window));
    for (std::size_t i = 0; i < window.size(); ++i)
        window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / processor.window);

    constexpr double least = 1e-10; // energy
    constexpr double range = 8; // of the logarithms
    const Index frames = processor.frames();
    std::vector<double> logarithms(static_cast<std::size_t>(processor.bands) * static_cast<std::size_t>(frames),
                                   std::log10(least));
    double largest = std::log10(least);
    Eigen::FFT<double> transform;
    std::vector<double> windowed(window.size());
    std::vector<std::complex<double>> spectrum;
    std::vector<double> energies(window.size() / 2 + 1);
    for (Index frame = 0; frame < frames; ++frame) {
        const auto first = signal.begin() + std::ptrdiff_t{frame} * processor.hop;
        std::transform(window.begin(), window.end(), first, windowed.begin(), std::multiplies<>());
        if (std::ranges::all_of(windowed, [](double value) { return value == 0; }))
            continue;
        transform.fwd(spectrum, windowed);
        std::transform(spectrum.begin(), spectrum.begin() + std::ssize(energies), energies.begin(),
                       [](std::complex<double> value) { return std::norm(value); });
        for (std::size_t band = 0; band < bands.size(); ++band) {
            double sum = 0;
            for (std::size_t i = 0; i < bands[band].weights.size(); ++i)
                sum += bands[band].weights[i] * energies[static_cast<std::size_t>(bands[band].first) + i];
            const double logarithm = std::log10(std::max(sum, least));
            logarithms[band * static_cast<std::size_t>(frames) + static_cast<std::size_t>(frame)] = logarithm;
            largest = std::max(largest, logarithm);
        }
    }
    Numbers result = Numbers::unset(1, processor.bands, frames);
    std::ranges::transform(logarithms, result.values.begin(), [&](double value) {
        return static_cast<float>((std::max(value, largest - range) + 4) / 4);
    });
    return result;
}

Encoding soundTokens(const SoundProcessor& processor)
{
    Encoding result;
    const double seconds = processor.columnSeconds();
    for (Index column = 0; column < processor.columns(); ++column) {
        result.ids.push_back(column);
        result.words.push_back(column);
        result.special.push_back(false);
        result.tokens.push_back(fmt::format("{:.2f}", column * seconds));
        result.times.push_back({static_cast<float>(column * seconds), static_cast<float>((column + 1) * seconds)});
    }
    return result;
}

} // namespace attn
