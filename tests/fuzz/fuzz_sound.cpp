// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "sounds/sound_file.h"

// libsndfile 1.2 forgets what libvorbis has begun of a damaged file.
extern "C" const char* __lsan_default_suppressions() // NOLINT
{
    return "leak:vorbis_info_init";
}

ATTN_FUZZ_TARGET(sound)
{
    constexpr std::int64_t most = 4000;
    const auto bytes = attn::fuzz::bytes(data, size);
    int read = attn::fuzz::answer([&] {
        const attn::SoundFile sound = attn::decodeSound(bytes, {16000, 0, most}, "input");
        attn::fuzz::require(std::ssize(sound.samples) <= most && sound.total >= std::ssize(sound.samples));
    });
    // From a place that is not the beginning, at another rate than most files have.
    read += attn::fuzz::answer([&] {
        const attn::SoundFile sound = attn::decodeSound(bytes, {8000, 9000, most}, "input");
        attn::fuzz::require(std::ssize(sound.samples) <= most);
    });
    return read;
}
