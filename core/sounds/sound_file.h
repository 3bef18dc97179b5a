// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <sndfile.h>
#include <soxr.h>
#include <span>
#include <string>
#include <vector>

namespace attn {

// Functions of libsndfile.
struct SoundDecoder
{
    decltype(&sf_open_virtual) open = nullptr;
    decltype(&sf_readf_double) read = nullptr;
    decltype(&sf_seek) seek = nullptr;
    decltype(&sf_close) close = nullptr;

    // Loads the library on the first call. Throws Error{Unsupported} naming `path` where it is not installed.
    static const SoundDecoder& loaded(const std::string& path);
};

// Functions of libsoxr, loaded likewise.
struct SoundResampler
{
    decltype(&soxr_create) create = nullptr;
    decltype(&soxr_process) process = nullptr;
    decltype(&soxr_delete) remove = nullptr;

    static const SoundResampler& loaded(const std::string& path);
};

// Samples of a sound that are wanted: `count` from `first` on, counted at `rate`.
struct SoundExcerpt
{
    int rate = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// An excerpt of a file of sound, and what is known of the file.
struct SoundFile
{
    std::vector<float> samples; // the mean of all channels; as many of the excerpt as there are
    std::int64_t total = 0; // samples of the whole file at the wanted rate
    int rate = 0; // of the file
    int channels = 0;
    double seconds = 0; // of the whole file
    std::string sha256; // of the file; empty where no samples were wanted
};

// Reads what libsndfile does, such as WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF, resampled by libsoxr; both are loaded
// with the first sound. One of more than 24 hours is refused by its header. Throws Error{File, Format, Input,
// Unsupported, Cancelled} naming the file.
SoundFile readSoundFile(const std::string& path, const SoundExcerpt& excerpt);

// Likewise from the bytes of a file, which `where` names in errors.
SoundFile readSoundBytes(std::span<const std::byte> bytes, const SoundExcerpt& excerpt, const std::string& where);

// Likewise, without the sum.
SoundFile decodeSound(std::span<const std::byte> bytes, const SoundExcerpt& excerpt, const std::string& where);

} // namespace attn
