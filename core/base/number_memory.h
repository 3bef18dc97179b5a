// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace attn {

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
