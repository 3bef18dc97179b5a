// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/error.h"
#include "base/limits.h"
#include "base/number_memory.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/resource.h>

namespace attn {

namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t smallAmount = std::uint64_t{16} << 20U; // not worth a look
constexpr std::uint64_t threadAddresses = std::uint64_t{64} << 20U; // that the C library gives a new thread, unused

namespace fs = std::filesystem;

std::optional<std::uint64_t> numberIn(const fs::path& path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

// The number behind the name of a line "name 123" or "name: 123 kB".
std::optional<std::uint64_t> numberNamed(const fs::path& path, std::string_view name)
{
    std::ifstream file(path);
    std::string field;
    std::string rest;
    while (file >> field) {
        std::uint64_t number = 0;
        if (field == name && file >> number)
            return number;
        file.clear();
        std::getline(file, rest);
    }
    return std::nullopt;
}

// Memory that is left in one control group, with the pages of files given back that the system would drop.
std::uint64_t leftIn(const fs::path& group, const char* most, const char* current, const char* droppable)
{
    const auto allowed = numberIn(group / most); // "max" is no number
    const auto used = numberIn(group / current);
    if (!allowed || !used)
        return unknown;
    const std::uint64_t files = numberNamed(group / "memory.stat", droppable).value_or(0);
    const std::uint64_t needed = *used - std::min(*used, files);
    return *allowed > needed ? *allowed - needed : 0;
}

// Limit of a group and of those that it is in. Inside a container the path may be one of the host, that is not to be
// seen.
template<class Left>
std::uint64_t leastLeft(const fs::path& top, const std::string& name, const Left& left)
{
    std::uint64_t least = left(top);
    fs::path group = top;
    for (const fs::path& part : fs::path(name).relative_path()) {
        group /= part;
        least = std::min(least, left(group));
    }
    return least;
}

// `reserved`: of what is left, on top of what is used.
std::uint64_t limitedMemory(int resource, const char* used, std::uint64_t reserved = 0)
{
    struct rlimit most = {};
    if (::getrlimit(resource, &most) != 0 || most.rlim_cur == RLIM_INFINITY)
        return unknown;
    const std::uint64_t taken = numberNamed("/proc/self/status", used).value_or(0) * 1024 + reserved;
    return most.rlim_cur > taken ? most.rlim_cur - taken : 0;
}

} // namespace

std::uint64_t controlGroupMemory(const fs::path& root)
{
    const fs::path mounted = root / "sys/fs/cgroup";
    std::uint64_t least = unknown;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) { // "4:memory:/a/b" of version 1, "0::/a/b" of version 2
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        const std::string name = line.substr(second + 1);
        if (controllers.find(",memory,") != std::string::npos)
            least = std::min(least, leastLeft(mounted / "memory", name, [](const fs::path& group) {
                                 return leftIn(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                               "total_inactive_file");
                             }));
        if (controllers == ",,")
            least = std::min(least, leastLeft(mounted, name, [](const fs::path& group) {
                                 return std::min(leftIn(group, "memory.max", "memory.current", "inactive_file"),
                                                 leftIn(group, "memory.high", "memory.current", "inactive_file"));
                             }));
    }
    return least;
}

std::uint64_t availableMemory()
{
    const auto kibibytes = numberNamed("/proc/meminfo", "MemAvailable:");
    return std::min({kibibytes ? *kibibytes * 1024 : unknown, controlGroupMemory("/"),
                     limitedMemory(RLIMIT_AS, "VmSize:", threadAddresses), limitedMemory(RLIMIT_DATA, "VmData:"),
                     limit(Limit::Memory)});
}

std::uint64_t availableMemory(std::uint64_t needed)
{
    const std::uint64_t available = availableMemory();
    if (needed <= available)
        return available;
    releaseFreedNumbers();
    return availableMemory();
}

void requireMemory(std::uint64_t needed, const std::string& where)
{
    if (needed > smallAmount)
        requireMemory(needed, availableMemory(needed), where);
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
