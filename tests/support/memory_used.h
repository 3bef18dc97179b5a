// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/sanitizers.h"

#include <cstddef>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace attn::test {

// What a file may take in memory, in times of its size.
inline constexpr double mostShare = 1.3;

// A line of /proc/self/status, "VmRSS", in bytes.
inline std::size_t memoryOf(const char* line)
{
    std::ifstream status("/proc/self/status");
    for (std::string name; status >> name;) {
        std::size_t kilobytes = 0;
        if (name == std::string(line) + ':' && status >> kilobytes)
            return kilobytes * 1024;
        status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

// The most bytes that `work` holds at once; nothing where the system does not say, or where a sanitizer keeps what
// was given back.
template<class Work>
std::optional<double> mostMemoryOf(Work work)
{
    if (hasAddressSanitizer() || hasThreadSanitizer()) {
        work();
        return std::nullopt;
    }
    std::ofstream("/proc/self/clear_refs") << "5"; // the peak counts from here
    const std::size_t before = memoryOf("VmRSS");
    if (before == 0 || memoryOf("VmHWM") > before + (std::size_t{1} << 20))
        return std::nullopt;
    work();
    return static_cast<double>(memoryOf("VmHWM") - before);
}

} // namespace attn::test
