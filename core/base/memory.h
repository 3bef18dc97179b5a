// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Limits of what a file, or a run, may ask for.
enum class Limit : std::uint8_t {
    Text,
    Lines,
    Sentences,
    Json,
    JsonValues,
    Header,
    Pickle,
    PickleValues,
    ZipEntries,
    Vocabulary,
    Pieces,
    Normalized,
    RegexTime,
    RegexSteps,
    ArchiveFile,
    Archive,
    Runs,
    Figure,
    Maps,
    Memory
};

struct LimitRow
{
    const char* key;
    std::uint64_t usual;
    bool isBytes; // otherwise things are counted
    const char* what;
};
// Rows in the order of Limit.
std::span<const LimitRow> limitRows();

// The environment variable that sets them: "json=256M archive=16G", in bytes, K, M or G.
inline constexpr auto limitsVariable = "ATTNSCOPE_LIMITS";

// Values by Limit. Throws Error{Input} naming what is no limit.
std::vector<std::uint64_t> parseLimits(std::string_view text);

// Advice against a limit: "ATTNSCOPE_LIMITS=archive=... sets another limit".
std::string otherLimit(Limit which);

// A limit, as the environment sets it when the program first asks for one. Throws Error{Input}.
std::uint64_t limit(Limit which);

// Bytes that this process can still get: of the machine without swapping, of its control groups (version 1 and 2), of
// its own limits (ulimit -v and -d), and at most what Limit::Memory says. None known: a very large number.
std::uint64_t availableMemory();
// The same, after what was kept for further numbers has been given back where that was too little.
std::uint64_t availableMemory(std::uint64_t needed);

// Memory that the control groups of a process leave; root: of the file system that holds proc/self/cgroup and
// sys/fs/cgroup.
std::uint64_t controlGroupMemory(const std::filesystem::path& root);

// Throws Error{Resource} with both numbers when `needed` bytes are more than `available`.
void requireMemory(std::uint64_t needed, std::uint64_t available, const std::string& where);
// The same with availableMemory(), which is looked up for amounts that matter.
void requireMemory(std::uint64_t needed, const std::string& where);

// "15.2 MB", in powers of ten.
std::string byteText(std::uint64_t bytes);

// Memory that begins at a cache line. What was freed is given out again before the system is asked for more: a page
// that is new to a process costs as much as a pass over it. count: at least one. Throws std::bad_alloc.
void* allocateNumbers(std::size_t count, std::size_t bytesOfEach);
void freeNumbers(void* numbers) noexcept;
// Gives what was freed back to the system.
void releaseFreedNumbers() noexcept;

// For vectors of many numbers. Unlike std::allocator's, numbers that are asked for without a value have none.
template<typename Number>
struct NumberAllocator
{
    using value_type = Number;

    NumberAllocator() = default;
    template<typename Other>
    NumberAllocator(const NumberAllocator<Other>& /*other*/) noexcept
    {
    }

    Number* allocate(std::size_t count) { return static_cast<Number*>(allocateNumbers(count, sizeof(Number))); }
    void deallocate(Number* numbers, std::size_t /*count*/) noexcept { freeNumbers(numbers); }

    template<typename Other>
    void construct(Other* place) noexcept
    {
        ::new (static_cast<void*>(place)) Other;
    }
    template<typename Other, typename... Arguments>
    void construct(Other* place, Arguments&&... arguments)
    {
        std::construct_at(place, std::forward<Arguments>(arguments)...);
    }

    friend bool operator==(NumberAllocator /*a*/, NumberAllocator /*b*/) noexcept { return true; }
};

template<typename Number>
using NumberVector = std::vector<Number, NumberAllocator<Number>>;

} // namespace attn
