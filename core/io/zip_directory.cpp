// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/zip_directory.h"

#include "io/byte_reader.h"
#include "io/identify.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace attn {

namespace {

constexpr std::string_view archiveStart = "PK";
constexpr std::size_t startLength = 512; // of a file that is none
constexpr std::uint32_t wideEndMark = 0x06064B50;
constexpr std::uint32_t locatorMark = 0x07064B50;

template<class Number>
std::uint64_t entriesIn(ByteReader& reader)
{
    const auto onThisDisk = reader.integer<Number>();
    return std::max(onThisDisk, reader.integer<Number>());
}

// Of a file without an end record: an archive that is cut short, or another file.
void refuseOther(std::span<const std::byte> start, const std::string& where)
{
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    if (!text.starts_with(archiveStart))
        refuseByStart(start, where);
}

} // namespace

ZipDirectory endRecord(std::span<const std::byte> record, const std::string& where)
{
    ByteReader reader(record, where);
    reader.take(4 + 2 + 2); // mark, disks
    ZipDirectory directory;
    directory.entries = entriesIn<std::uint16_t>(reader);
    directory.bytes = reader.integer<std::uint32_t>();
    directory.offset = reader.integer<std::uint32_t>();
    return directory;
}

std::optional<std::uint64_t> wideEndOffset(std::span<const std::byte> before, const std::string& where)
{
    if (before.size() < ZipDirectory::locatorBytes)
        return {};
    ByteReader reader(before.last(ZipDirectory::locatorBytes), where);
    if (reader.integer<std::uint32_t>() != locatorMark)
        return {};
    reader.take(4); // disk
    return reader.integer<std::uint64_t>();
}

std::optional<ZipDirectory> wideEndRecord(std::span<const std::byte> record, const std::string& where)
{
    ByteReader reader(record, where);
    if (reader.integer<std::uint32_t>() != wideEndMark)
        return {};
    reader.take(8 + 2 + 2 + 4 + 4); // size, versions, disks
    ZipDirectory directory;
    directory.entries = entriesIn<std::uint64_t>(reader);
    directory.bytes = reader.integer<std::uint64_t>();
    directory.offset = reader.integer<std::uint64_t>();
    return directory;
}

ClaimedDirectory claimedDirectory(std::uint64_t size, const std::string& where,
                                  const std::function<void(std::uint64_t position, std::span<std::byte> part)>& read)
{
    constexpr std::size_t wideEndBytes = ZipDirectory::wideEndBytes;
    std::vector<std::byte> tail(std::min<std::uint64_t>(
        size, ZipDirectory::locatorBytes + ZipDirectory::endBytes + ZipDirectory::longestComment));
    const std::uint64_t begin = size - tail.size();
    read(begin, tail);
    const std::span<const std::byte> end(tail);
    ClaimedDirectory all;
    const auto mark = std::as_bytes(std::span(&ZipDirectory::endMark, 1));
    if (std::search(tail.begin(), tail.end(), mark.begin(), mark.end()) == tail.end()) {
        std::vector<std::byte> start(std::min<std::uint64_t>(size, startLength));
        read(0, start);
        refuseOther(start, where);
    }
    for (auto found = tail.begin();; ++found) {
        found = std::search(found, tail.end(), mark.begin(), mark.end());
        const std::size_t position = found - tail.begin();
        if (tail.size() - position < ZipDirectory::endBytes)
            return all;
        ZipDirectory directory = endRecord(end.subspan(position), where);
        const auto offset = wideEndOffset(end.first(position), where);
        if (offset && size >= wideEndBytes && *offset <= size - wideEndBytes) {
            std::vector<std::byte> record(wideEndBytes);
            read(*offset, record);
            directory = wideEndRecord(record, where).value_or(directory);
        }
        if (directory.offset > begin + position || directory.bytes > begin + position - directory.offset)
            continue; // such a record is not taken
        all.entries += std::min(directory.entries, size); // the sum of many fits
        all.bytes += directory.bytes;
    }
}

} // namespace attn
