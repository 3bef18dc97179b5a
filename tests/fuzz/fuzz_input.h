// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

// A fuzz target: a function of some bytes that comes to an end, whatever they are, without undefined behaviour and with
// no other exception than Error. libFuzzer calls it, one program for each; or the test tst_fuzz all of them.
#define ATTN_FUZZ_TARGET(name)                                                                                         \
    static int fuzz_##name(const std::uint8_t* data, std::size_t size);                                                \
    static const bool listed_##name = attn::fuzz::list(#name, fuzz_##name);                                            \
    static int fuzz_##name(const std::uint8_t* data, std::size_t size)

namespace attn::fuzz {

using Target = int (*)(const std::uint8_t* data, std::size_t size);
struct NamedTarget
{
    const char* name = nullptr;
    Target target = nullptr;
};

inline std::vector<NamedTarget>& targets()
{
    static std::vector<NamedTarget> all;
    return all;
}
inline bool list(const char* name, Target target)
{
    targets().push_back({name, target});
    return true;
}

inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t size)
{
    return std::as_bytes(std::span(data, size));
}

inline std::string_view text(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

// What lies between NUL characters; the rest is the last part. As many as are asked for, empty where there are fewer.
inline std::vector<std::string_view> parts(std::string_view text, std::size_t count)
{
    std::vector<std::string_view> result;
    while (result.size() + 1 < count) {
        const std::size_t end = std::min(text.find('\0'), text.size());
        result.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    result.push_back(text);
    return result;
}

// Runs `read`; an Error is an answer, anything else a finding.
template<class Read>
int answer(Read read)
{
    try {
        read();
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

// A property that must hold whatever the input is.
inline void require(bool holds)
{
    if (!holds)
        __builtin_trap();
}

// A folder of this process for what is read from files only.
class Folder
{
public:
    explicit Folder(const char* name)
        : m_path(std::filesystem::temp_directory_path() / ("attnscope-fuzz-" + std::to_string(getpid())) / name)
    {
        std::filesystem::create_directories(m_path);
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
        std::filesystem::remove(m_path.parent_path(), ignored); // with the last one
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path put(std::string_view name, std::string_view content) const
    {
        std::ofstream(m_path / name, std::ios::binary) << content;
        return m_path / name;
    }

private:
    std::filesystem::path m_path;
};

} // namespace attn::fuzz
