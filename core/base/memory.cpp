// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"

#include "base/error.h"

#include <oneapi/tbb/scalable_allocator.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>

namespace attn {

namespace {

constexpr std::uint64_t mega = std::uint64_t{1} << 20U;

constexpr LimitRow rows[] = {
    {"text", 64 * mega, true, "a text, or the file of a batch"},
    {"lines", 1'000'000, false, "lines of a batch"},
    {"sentences", 2000, false, "sentences, or pairs of them, of the laboratory"},
    {"json", 64 * mega, true, "a JSON file of a model"},
    {"json-values", 8'000'000, false, "values in it, lists and objects counted twice"},
    {"header", 96 * mega, true, "the header of a safetensors file"},
    {"pickle", 256 * mega, true, "what torch.save says about the tensors"},
    {"pickle-values", 4'000'000, false, "values in it"},
    {"zip-entries", 12'000, false, "entries of a zip archive: a session, an .npz, tensors that torch.save wrote"},
    {"vocabulary", 64 * mega, true, "a vocabulary, list of merges or SentencePiece model"},
    {"pieces", 4'000'000, false, "entries of one of these"},
    {"normalized", 64 * mega, true, "a text, and its tokens, in the steps of a tokenizer"},
    {"regex-time", 20, false, "seconds that a tokenizer's regular expressions may take for a text"},
    {"regex-steps", 1000, false, "steps of one match of such an expression, a fraction of a millisecond each"},
    {"archive-file", 2048 * mega, true, "an attention archive in JSON"},
    {"archive", 4096 * mega, true, "the arrays of an attention archive, unpacked"},
    {"runs", 1'000, false, "runs of a session"},
    {"figure", 256 * mega, true, "the file of a figure"},
    {"maps", 1024 * mega, true, "a run's maps as numbers; of more, queries and keys are kept"},
    {"memory", std::numeric_limits<std::uint64_t>::max(), true, "memory for models, runs and archives; what is free"},
};

// Its last letter multiplies it.
bool parseSize(std::string_view text, std::uint64_t& value)
{
    constexpr std::string_view letters = "KMG";
    const std::size_t letter = text.empty() ? std::string_view::npos : letters.find(text.back());
    const unsigned shift = letter == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(letter) + 1);
    if (shift > 0)
        text.remove_suffix(1);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()
        || value > std::numeric_limits<std::uint64_t>::max() >> shift)
        return false;
    value <<= shift;
    return true;
}

} // namespace

std::span<const LimitRow> limitRows()
{
    return rows;
}

std::vector<std::uint64_t> parseLimits(std::string_view text)
{
    std::vector<std::uint64_t> result;
    for (const LimitRow& row : rows)
        result.push_back(row.usual);
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, std::min(text.find_first_of(" ,"), text.size()));
        text.remove_prefix(std::min(entry.size() + 1, text.size()));
        if (entry.empty())
            continue;
        const std::size_t sign = std::min(entry.find('='), entry.size());
        const auto* const row = std::ranges::find(rows, entry.substr(0, sign), &LimitRow::key);
        if (row == std::end(rows) || !parseSize(entry.substr(std::min(sign + 1, entry.size())), result[row - rows])) {
            std::string names;
            for (const LimitRow& known : rows)
                names += (names.empty() ? "" : ", ") + std::string(known.key);
            throw Error(ErrorKind::Input, limitsVariable,
                        "has the entry \"" + std::string(entry) + "\", which sets no limit",
                        "write for example json=256M; there are " + names);
        }
    }
    return result;
}

std::string otherLimit(Limit which)
{
    return std::string(limitsVariable) + '=' + rows[static_cast<std::size_t>(which)].key + "=... sets another limit";
}

std::uint64_t limit(Limit which)
{
    static const std::vector<std::uint64_t> values = [] {
        const char* const given = std::getenv(limitsVariable);
        return parseLimits(given == nullptr ? "" : given);
    }();
    return values[static_cast<std::size_t>(which)];
}

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

namespace {

constexpr std::size_t cacheLine = 64;
constexpr std::size_t hugePage = std::size_t{1} << 21;
constexpr std::size_t worthHugePages = 2 * hugePage;

// The sanitizers do not see a use of memory that an allocator of its own has taken back.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATTN_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ATTN_SANITIZED
#endif
#ifdef ATTN_SANITIZED
constexpr bool reused = false;
#else
constexpr bool reused = true;
#endif

// Huge pages are preferred for those that lie wholly in the block. Where the system has none, all is as it was.
void preferHugePages(void* block, std::size_t bytes)
{
    void* begin = block;
    if (std::align(hugePage, hugePage, begin, bytes) != nullptr)
        ::madvise(begin, bytes / hugePage * hugePage, MADV_HUGEPAGE);
}

} // namespace

void* allocateNumbers(std::size_t count, std::size_t bytesOfEach)
{
    if (count > std::numeric_limits<std::size_t>::max() / bytesOfEach)
        throw std::bad_array_new_length();
    const std::size_t bytes = count * bytesOfEach;
    if constexpr (!reused)
        return ::operator new (bytes, std::align_val_t{cacheLine});
    void* numbers = scalable_aligned_malloc(bytes, cacheLine);
    if (numbers == nullptr)
        throw std::bad_alloc();
    if (bytes >= worthHugePages)
        preferHugePages(numbers, bytes);
    return numbers;
}

void freeNumbers(void* numbers) noexcept
{
    if constexpr (reused)
        scalable_aligned_free(numbers);
    else
        ::operator delete (numbers, std::align_val_t{cacheLine});
}

void releaseFreedNumbers() noexcept
{
    if constexpr (!reused)
        return;
    // Before its first block the allocator has nothing that the command could clean, and reads it all the same.
    scalable_free(scalable_malloc(1));
    scalable_allocation_command(TBBMALLOC_CLEAN_ALL_BUFFERS, nullptr);
}

} // namespace attn
