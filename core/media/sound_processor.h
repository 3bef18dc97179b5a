// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "io/json.h"
#include "tensor/number_view.h"

#include <span>

namespace attn {

// Steps from sound to what a model reads: a spectrogram on the mel scale (resources/documentation/formats.md section
// 4).
struct SoundProcessor
{
    int rate = 16000; // samples of a second
    int window = 400; // samples that a frame is made of
    int hop = 160; // samples from one frame to the next
    int seconds = 30; // that are read at once
    Index bands = 80;
    bool assumed = false; // no file says so

    Index samples() const { return rate * seconds; }
    Index frames() const { return samples() / hop; }
    Index columns() const { return frames() / 2; } // a source's tokens, of two frames each
    double columnSeconds() const { return 2.0 * hop / rate; }
    // Columns that hold some of so many samples, at least one.
    Index columnsOf(Index count) const;
};

// file: preprocessor_config.json; null where there is none. bands: those of the model. Throws Error{Format} naming the
// field.
SoundProcessor readSoundProcessor(const JsonObject* file, Index bands);

// Logarithms of the energy in bands on Slaney's mel scale, [bands, frames]; silence follows the samples, at most
// processor.samples() of them.
Numbers logMelSpectrogram(const SoundProcessor& processor, std::span<const float> samples);

// Tokens of a sound, each with its span of time.
Encoding soundTokens(const SoundProcessor& processor);

} // namespace attn
