// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/zip_directory.h"

#include "io/byte_reader.h"

#include <algorithm>
#include <vector>

namespace attn {

namespace {

constexpr std::uint32_t endMark = 0x06054B50;
constexpr std::uint32_t wideEndMark = 0x06064B50;
constexpr std::uint32_t locatorMark = 0x07064B50;
constexpr std::size_t endSize = 22;
constexpr std::size_t locatorSize = 20;
constexpr std::size_t wideEndSize = 56;
constexpr std::size_t longestEnd = 65'536;

struct EndRecord
{
    ClaimedDirectory claimed;
    std::uint64_t offset = 0; // of the directory
};

// Entries are counted for this disk and for all.
template<class Number>
std::uint64_t entriesIn(ByteReader& reader)
{
    const auto onThisDisk = reader.integer<Number>();
    return std::max(onThisDisk, reader.integer<Number>());
}

EndRecord endRecord(ByteReader reader)
{
    reader.take(4 + 2 + 2); // signature, disks
    EndRecord record;
    record.claimed.entries = entriesIn<std::uint16_t>(reader);
    record.claimed.bytes = reader.integer<std::uint32_t>();
    record.offset = reader.integer<std::uint32_t>();
    return record;
}

EndRecord wideEndRecord(ByteReader reader)
{
    reader.take(8 + 2 + 2 + 4 + 4); // size, versions, disks
    EndRecord record;
    record.claimed.entries = entriesIn<std::uint64_t>(reader);
    record.claimed.bytes = reader.integer<std::uint64_t>();
    record.offset = reader.integer<std::uint64_t>();
    return record;
}

} // namespace

ClaimedDirectory claimedDirectory(std::uint64_t size, const std::string& where,
                                  const std::function<void(std::uint64_t position, std::span<std::byte> part)>& read)
{
    std::vector<std::byte> tail(std::min<std::uint64_t>(size, endSize + locatorSize + longestEnd));
    const std::uint64_t begin = size - tail.size();
    read(begin, tail);
    const std::span<const std::byte> end(tail);
    ClaimedDirectory all;
    const auto mark = std::as_bytes(std::span(&endMark, 1));
    for (auto found = tail.begin();; ++found) {
        found = std::search(found, tail.end(), mark.begin(), mark.end());
        const std::size_t position = found - tail.begin();
        if (tail.size() - position < endSize)
            return all;
        EndRecord record = endRecord({end.subspan(position), where});
        ByteReader locator(end.subspan(position - std::min(position, locatorSize)), where);
        if (locator.integer<std::uint32_t>() == locatorMark) {
            locator.take(4); // disk
            const auto offset = locator.integer<std::uint64_t>();
            std::vector<std::byte> wide(wideEndSize);
            if (size >= wideEndSize && offset <= size - wideEndSize) {
                read(offset, wide);
                ByteReader reader(wide, where);
                if (reader.integer<std::uint32_t>() == wideEndMark)
                    record = wideEndRecord(std::move(reader));
            }
        }
        if (record.offset > begin + position || record.claimed.bytes > begin + position - record.offset)
            continue; // such a record is not taken
        all.entries += std::min(record.claimed.entries, size); // the sum of many fits
        all.bytes += record.claimed.bytes;
    }
}

} // namespace attn
