// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/broken_files.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::test {

// Builds small GGUF files, also wrong ones: nothing is checked.
class GgufWriter
{
public:
    static constexpr std::uint32_t u8 = 0, i8 = 1, u16 = 2, i16 = 3, u32 = 4, i32 = 5, f32 = 6, boolean = 7, text = 8,
                                   array = 9, u64 = 10, i64 = 11, f64 = 12;
    static constexpr std::uint32_t tensorF32 = 0, tensorF16 = 1, tensorQ4 = 2, tensorQ8 = 8, tensorBf16 = 30;

    static Bytes string(std::string_view value) { return littleEndian(std::uint64_t{value.size()}) + bytesOf(value); }

    GgufWriter& value(std::string_view key, std::uint32_t type, const Bytes& bytes)
    {
        m_values = std::move(m_values) + string(key) + littleEndian(type) + bytes;
        ++valueCount;
        return *this;
    }
    GgufWriter& value(std::string_view key, std::uint32_t number) { return value(key, u32, littleEndian(number)); }
    GgufWriter& value(std::string_view key, float number) { return value(key, f32, littleEndian(number)); }
    GgufWriter& value(std::string_view key, std::string_view words) { return value(key, text, string(words)); }
    GgufWriter& value(std::string_view key, const char* words) { return value(key, text, string(words)); }
    GgufWriter& flag(std::string_view key, bool on) { return value(key, boolean, littleEndian(std::uint8_t{on})); }
    GgufWriter& list(std::string_view key, std::uint32_t type, std::uint64_t count, const Bytes& elements)
    {
        return value(key, array, littleEndian(type) + littleEndian(count) + elements);
    }
    GgufWriter& list(std::string_view key, const std::vector<std::string>& words)
    {
        Bytes elements;
        for (const std::string& word : words)
            elements = std::move(elements) + string(word);
        return list(key, text, words.size(), elements);
    }

    // shape: outermost first.
    GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                       const Bytes& bytes)
    {
        entry(name, shape, type, m_data.size());
        m_data = std::move(m_data) + bytes;
        m_data.resize((m_data.size() + 31) / 32 * 32);
        return *this;
    }
    // Only the entry, with any offset.
    GgufWriter& entry(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                      std::uint64_t offset)
    {
        m_entries = std::move(m_entries) + string(name) + littleEndian(static_cast<std::uint32_t>(shape.size()));
        for (auto dimension = shape.rbegin(); dimension != shape.rend(); ++dimension)
            m_entries = std::move(m_entries) + littleEndian(*dimension);
        m_entries = std::move(m_entries) + littleEndian(type) + littleEndian(offset);
        ++tensorCount;
        return *this;
    }

    Bytes finish() const
    {
        Bytes file = bytesOf("GGUF") + littleEndian(version) + littleEndian(tensorCount) + littleEndian(valueCount)
            + m_values + m_entries;
        file.resize((file.size() + 31) / 32 * 32);
        return std::move(file) + m_data;
    }

    std::uint32_t version = 3;
    std::uint64_t tensorCount = 0;
    std::uint64_t valueCount = 0;

private:
    Bytes m_values;
    Bytes m_entries;
    Bytes m_data;
};

} // namespace attn::test
