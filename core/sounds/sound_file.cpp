// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sounds/sound_file.h"

#include "base/error.h"
#include "base/progress.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <openssl/evp.h>
#include <utility>
#include <vector>

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

namespace {

constexpr double longestSound = 24.0 * 60 * 60; // seconds
constexpr int lowestRate = 1000;
constexpr int highestRate = 1'000'000;
constexpr std::int64_t blockFrames = 4096; // read at once
constexpr std::int64_t runIn = 1; // seconds before an excerpt that the resampler's filter is filled with

// A file in memory, as libsndfile reads it.
struct SoundBytes
{
    std::span<const std::byte> bytes;
    sf_count_t position = 0;

    sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }

    static SoundBytes& of(void* user) { return *static_cast<SoundBytes*>(user); }
    static sf_count_t sizeOf(void* user) { return of(user).size(); }
    static sf_count_t positionOf(void* user) { return of(user).position; }
    static sf_count_t seek(sf_count_t offset, int whence, void* user)
    {
        SoundBytes& file = of(user);
        const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position : file.size();
        if (offset < -from || offset > file.size() - from)
            return -1;
        return file.position = from + offset;
    }
    static sf_count_t read(void* into, sf_count_t count, void* user)
    {
        SoundBytes& file = of(user);
        const sf_count_t got = std::clamp<sf_count_t>(count, 0, file.size() - file.position);
        if (got > 0)
            std::memcpy(into, file.bytes.data() + file.position, static_cast<std::size_t>(got));
        file.position += got;
        return got;
    }
    static sf_count_t write(const void* /*from*/, sf_count_t /*count*/, void* /*user*/) { return 0; }
};

// An opened file, one channel made of all.
class MonoSound
{
public:
    MonoSound(std::span<const std::byte> bytes, const std::string& where)
        : m_decoder(SoundDecoder::loaded(where))
        , m_bytes{bytes}
        , m_file(nullptr, m_decoder.close)
    {
        SF_VIRTUAL_IO io{SoundBytes::sizeOf, SoundBytes::seek, SoundBytes::read, SoundBytes::write,
                         SoundBytes::positionOf};
        m_file.reset(m_decoder.open(&io, SFM_READ, &m_info, &m_bytes));
        if (m_file == nullptr)
            refuseForeign(bytes, where);
        if (m_info.channels < 1 || m_info.samplerate < lowestRate || m_info.samplerate > highestRate)
            throw Error(ErrorKind::Input, where,
                        fmt::format("has {} samples a second in {} channels, {} to {} are read", m_info.samplerate,
                                    m_info.channels, lowestRate, highestRate),
                        "convert it to 16000");
        m_interleaved.resize(static_cast<std::size_t>(blockFrames) * static_cast<std::size_t>(m_info.channels));
    }

    int rate() const { return m_info.samplerate; }
    int channels() const { return m_info.channels; }
    // Length by the header; none where it does not say.
    std::optional<std::int64_t> frames() const
    {
        return m_info.frames == SF_COUNT_MAX ? std::nullopt : std::optional<std::int64_t>(m_info.frames);
    }
    bool goTo(std::int64_t frame)
    {
        return m_info.seekable != 0 && m_decoder.seek(m_file.get(), frame, SEEK_SET) == frame;
    }
    // The next frames; none behind the last.
    std::span<const float> next()
    {
        ThreadStop::check();
        const auto got =
            std::clamp<sf_count_t>(m_decoder.read(m_file.get(), m_interleaved.data(), blockFrames), 0, blockFrames);
        m_mono.clear();
        for (sf_count_t frame = 0; frame < got; ++frame) {
            double sum = 0;
            for (int channel = 0; channel < channels(); ++channel)
                sum += m_interleaved[static_cast<std::size_t>(frame * channels() + channel)];
            m_mono.push_back(static_cast<float>(sum / channels()));
        }
        return m_mono;
    }

private:
    [[noreturn]] static void refuseForeign(std::span<const std::byte> bytes, const std::string& where)
    {
        const auto foreign = bytes.empty() ? std::nullopt : identifyForeign(bytes);
        throw Error(ErrorKind::Format, where,
                    bytes.empty() ? "is empty"
                        : foreign ? foreign->what + ", no sound"
                                  : "is no sound of a kind that is read, or a damaged one",
                    "WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF are read");
    }

    const SoundDecoder& m_decoder;
    SoundBytes m_bytes;
    SF_INFO m_info{};
    std::unique_ptr<SNDFILE, decltype(&sf_close)> m_file;
    std::vector<double> m_interleaved;
    std::vector<float> m_mono;
};

// Samples at another rate, by libsoxr's high quality.
class ResampledSound
{
public:
    ResampledSound(MonoSound& sound, int rate, const std::string& where)
        : m_sound(sound)
        , m_library(sound.rate() == rate ? nullptr : &SoundResampler::loaded(where))
        , m_resampler(nullptr, m_library == nullptr ? nullptr : m_library->remove)
    {
        if (m_library == nullptr)
            return;
        soxr_error_t problem = nullptr;
        m_resampler.reset(m_library->create(sound.rate(), rate, 1, &problem, nullptr, nullptr, nullptr));
        if (problem != nullptr || m_resampler == nullptr)
            throw Error(ErrorKind::Unsupported, where,
                        fmt::format("{} samples a second cannot be made {}", sound.rate(), rate), "convert it");
        const double ratio = static_cast<double>(rate) / sound.rate();
        m_made.resize(static_cast<std::size_t>(std::ceil(blockFrames * ratio)) + 1);
    }

    // The next samples; none behind the last.
    std::span<const float> next()
    {
        if (m_library == nullptr)
            return m_sound.next();
        while (true) {
            if (m_read.empty() && !m_ended) {
                m_read = m_sound.next();
                m_ended = m_read.empty();
            }
            std::size_t used = 0;
            std::size_t made = 0;
            m_library->process(m_resampler.get(), m_ended ? nullptr : m_read.data(), m_read.size(), &used,
                               m_made.data(), m_made.size(), &made);
            m_read = m_read.subspan(std::min(used, m_read.size()));
            if (made > 0 || m_ended || used == 0)
                return std::span(m_made).first(made);
        }
    }

private:
    MonoSound& m_sound;
    const SoundResampler* m_library; // null: the rates are the same
    std::unique_ptr<soxr, decltype(&soxr_delete)> m_resampler;
    std::span<const float> m_read; // that the resampler has not taken yet
    bool m_ended = false;
    std::vector<float> m_made;
};

std::int64_t atRate(std::int64_t frames, int from, int to)
{
    return static_cast<std::int64_t>(std::floor(static_cast<double>(frames) * to / from + 0.5));
}

void requireLength(double seconds, const std::string& where)
{
    if (seconds > longestSound)
        throw Error(ErrorKind::Input, where, fmt::format("lasts {:.1f} hours, at most 24 are read", seconds / 3600),
                    "cut it");
}

// SHA-256 in hexadecimal digits.
std::string sha256Of(std::span<const std::byte> bytes)
{
    struct FreeContext
    {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
    constexpr std::size_t part = std::size_t{1} << 24U;
    for (std::size_t at = 0; good && at < bytes.size(); at += part) {
        ThreadStop::check();
        const auto some = bytes.subspan(at, std::min(part, bytes.size() - at));
        good = EVP_DigestUpdate(context.get(), some.data(), some.size()) == 1;
    }
    if (!good || EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1)
        throw Error(ErrorKind::Resource, "SHA-256", "cannot be computed by OpenSSL");
    return fmt::format("{:02x}", fmt::join(std::span(digest).first(length), ""));
}

std::int64_t countedFrames(std::span<const std::byte> bytes, const std::string& where)
{
    MonoSound sound(bytes, where);
    std::int64_t frames = 0;
    for (std::span<const float> block = sound.next(); !block.empty(); block = sound.next()) {
        frames += std::ssize(block);
        requireLength(static_cast<double>(frames) / sound.rate(), where);
    }
    return frames;
}

} // namespace

SoundFile decodeSound(std::span<const std::byte> bytes, const SoundExcerpt& excerpt, const std::string& where)
{
    MonoSound sound(bytes, where);
    const auto known = sound.frames();
    const std::int64_t frames = known ? *known : countedFrames(bytes, where);
    SoundFile result;
    result.rate = sound.rate();
    result.channels = sound.channels();
    result.seconds = static_cast<double>(frames) / sound.rate();
    requireLength(result.seconds, where);
    result.total = atRate(frames, sound.rate(), excerpt.rate);
    if (excerpt.count == 0 || excerpt.first >= result.total)
        return result;
    // Whole seconds lie at whole samples of every rate.
    std::int64_t second = std::max<std::int64_t>(excerpt.first / excerpt.rate - runIn, 0);
    if (second > 0 && !sound.goTo(second * sound.rate())) {
        sound.goTo(0);
        second = 0;
    }
    std::int64_t position = second * excerpt.rate;
    ResampledSound resampled(sound, excerpt.rate, where);
    while (std::ssize(result.samples) < excerpt.count) {
        const std::span<const float> block = resampled.next();
        if (block.empty()) { // sooner than the header says, or at the end
            result.total = std::min(result.total, position);
            result.seconds = std::min(result.seconds, static_cast<double>(position) / excerpt.rate);
            break;
        }
        const std::int64_t skipped = std::clamp<std::int64_t>(excerpt.first - position, 0, std::ssize(block));
        const std::int64_t taken =
            std::min<std::int64_t>(std::ssize(block) - skipped, excerpt.count - std::ssize(result.samples));
        result.samples.insert(result.samples.end(), block.begin() + skipped, block.begin() + skipped + taken);
        position += std::ssize(block);
    }
    return result;
}

SoundFile readSoundBytes(std::span<const std::byte> bytes, const SoundExcerpt& excerpt, const std::string& where)
{
    SoundFile result = decodeSound(bytes, excerpt, where);
    if (excerpt.count > 0)
        result.sha256 = sha256Of(bytes);
    return result;
}

SoundFile readSoundFile(const std::string& path, const SoundExcerpt& excerpt)
{
    const MappedFile file(path);
    SoundFile result = readSoundBytes(file.bytes(), excerpt, path);
    file.requireUnchanged();
    return result;
}

} // namespace attn
