// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/number_memory.h"

#include <oneapi/tbb/scalable_allocator.h>

#include <limits>
#include <sys/mman.h>

namespace attn {

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
