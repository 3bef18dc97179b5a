// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace attn {

// Uninitialised bytes aligned to a cache line.
class AlignedBuffer
{
public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t bytes)
        : m_data(bytes == 0 ? nullptr : static_cast<std::byte*>(::operator new(bytes, alignment)))
        , m_bytes(bytes)
    {
    }

    std::byte* data() const { return m_data.get(); }
    std::size_t size() const { return m_bytes; }

private:
    static constexpr std::align_val_t alignment{64};
    struct Release
    {
        void operator()(std::byte* data) const noexcept { ::operator delete(data, alignment); }
    };

    std::unique_ptr<std::byte, Release> m_data;
    std::size_t m_bytes = 0;
};

} // namespace attn
