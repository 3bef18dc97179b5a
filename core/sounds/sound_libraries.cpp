// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sounds/sound_libraries.h"

#include "base/error.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace attn {

namespace {

class LoadedLibrary
{
public:
    // Stays loaded. package: Debian's name of it.
    LoadedLibrary(const char* file, const char* package, const std::string& path)
        : m_handle(dlopen(file, RTLD_NOW | RTLD_LOCAL))
    {
        if (m_handle == nullptr)
            throw Error(ErrorKind::Unsupported, path, fmt::format("is a sound, and {} is not installed", file),
                        fmt::format("install {}", package));
    }

    template<typename Function>
    void find(const char* name, Function& found) const
    {
        found = reinterpret_cast<Function>(dlsym(m_handle, name)); // NOLINT
        if (found == nullptr)
            throw Error(ErrorKind::Unsupported, name, "is missing in the library that is installed",
                        "install a newer one");
    }

private:
    void* m_handle;
};

} // namespace

const SoundDecoder& SoundDecoder::loaded(const std::string& path)
{
    static const SoundDecoder decoder = [&] {
        const LoadedLibrary library("libsndfile.so.1", "libsndfile1", path);
        SoundDecoder found;
        library.find("sf_open_virtual", found.open);
        library.find("sf_readf_double", found.read);
        library.find("sf_seek", found.seek);
        library.find("sf_close", found.close);
        return found;
    }();
    return decoder;
}

const SoundResampler& SoundResampler::loaded(const std::string& path)
{
    static const SoundResampler resampler = [&] {
        const LoadedLibrary library("libsoxr.so.0", "libsoxr0", path);
        SoundResampler found;
        library.find("soxr_create", found.create);
        library.find("soxr_process", found.process);
        library.find("soxr_delete", found.remove);
        return found;
    }();
    return resampler;
}

} // namespace attn
