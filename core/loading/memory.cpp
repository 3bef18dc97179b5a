// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/memory.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <optional>

namespace attn {

namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> numberIn(const char* path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t systemMemory()
{
    std::ifstream file("/proc/meminfo");
    std::string field;
    std::uint64_t kibibytes = 0;
    std::string unit;
    while (file >> field >> kibibytes) {
        std::getline(file, unit);
        if (field == "MemAvailable:")
            return kibibytes * 1024;
    }
    return unknown;
}

std::uint64_t controlGroupMemory()
{
    const auto limit = numberIn("/sys/fs/cgroup/memory.max"); // "max" is no number
    const auto used = numberIn("/sys/fs/cgroup/memory.current");
    if (!limit || !used)
        return unknown;
    return *limit > *used ? *limit - *used : 0;
}

} // namespace

std::uint64_t availableMemory()
{
    return std::min(systemMemory(), controlGroupMemory());
}

void requireMemory(std::uint64_t needed, std::uint64_t available, const std::string& where)
{
    if (needed > available)
        throw Error(ErrorKind::Resource, where,
                    fmt::format("needs about {} of memory, {} are free", byteText(needed), byteText(available)),
                    "close other programs, use a smaller model or a shorter text");
}

std::string byteText(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> units{"bytes", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} {}", bytes, units[0]) : fmt::format("{:.1f} {}", value, units.at(unit));
}

} // namespace attn
