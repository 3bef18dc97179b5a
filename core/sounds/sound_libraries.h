// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sndfile.h>
#include <soxr.h>
#include <string>

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

} // namespace attn
