// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/zip_archive.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/atomic_file.h"
#include "io/byte_reader.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

#define ZLIB_CONST
#include <zlib.h>

namespace attn {

namespace {

// APPNOTE.TXT of PKWARE, section 4.3. Records begin with these marks.
constexpr std::uint32_t localMark = 0x04034B50;
constexpr std::uint32_t entryMark = 0x02014B50;
constexpr std::uint32_t endMark = 0x06054B50;
constexpr std::uint32_t wideEndMark = 0x06064B50; // of zip64
constexpr std::uint32_t locatorMark = 0x07064B50;
constexpr std::size_t localBytes = 30;
constexpr std::size_t entryBytes = 46;
constexpr std::size_t endBytes = 22;
constexpr std::size_t wideEndBytes = 56;
constexpr std::size_t locatorBytes = 20;
constexpr std::size_t longestComment = 65'535; // behind the end record
constexpr std::size_t startLength = 512; // of a file of another kind
constexpr std::uint16_t wideField = 1; // extra field of zip64
constexpr std::uint32_t wide32 = 0xFFFFFFFF; // the number is in the extra field
constexpr std::uint16_t wide16 = 0xFFFF;
constexpr std::uint16_t encryptedFlag = 1;
constexpr std::uint16_t utf8Flag = 1U << 11U;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint16_t usualVersion = 20; // that is needed to read an entry
constexpr std::uint16_t wideVersion = 45;
constexpr std::uint16_t madeOnUnix = 3U << 8U;
constexpr std::uint32_t readableFile = 0100644U << 16U; // as an attribute, where it was made on Unix
constexpr std::uint16_t firstDay = 0x21; // 1980-01-01: the same content gives the same bytes
constexpr std::uint32_t noChecksum = 0; // of torch.save with compute_crc32 = False (PyTorch 2.6)

// Deflate cannot shrink anything further than 1032 to 1.
constexpr std::uint64_t largestRatio = 1032;
constexpr std::uint64_t ratioSlack = 4096;
constexpr int deflateLevel = 1;
constexpr std::size_t small = 65536; // bytes
constexpr std::size_t atOnce = std::size_t{1} << 20U; // bytes, before it is asked whether to stop
constexpr auto damaged = "the file is incomplete or damaged";

[[noreturn]] void throwFormat(const std::string& where, const std::string& problem)
{
    throw Error(ErrorKind::Format, where, problem, damaged);
}

std::uint32_t nextChecksum(std::uint32_t checksum, std::span<const std::byte> bytes)
{
    return static_cast<std::uint32_t>(
        ::crc32_z(checksum, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

void verify([[maybe_unused]] std::uint32_t found, [[maybe_unused]] std::uint32_t said,
            [[maybe_unused]] const std::string& where)
{
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION // no chance finds a checksum
    if (found != said)
        throwFormat(where, "has another CRC than its content");
#endif
}

// zlib's state, of which one or the other is used. It takes at most so many bytes at a time.
class Packer
{
public:
    enum class Way : std::uint8_t { Deflate, Inflate };

    explicit Packer(Way way)
        : m_way(way)
    {
        constexpr int raw = -15; // without a header, with the largest window
        constexpr int usualMemory = 8;
        const int status = way == Way::Inflate
            ? ::inflateInit2(&m_state, raw)
            : ::deflateInit2(&m_state, deflateLevel, Z_DEFLATED, raw, usualMemory, Z_DEFAULT_STRATEGY);
        if (status != Z_OK)
            throw Error(ErrorKind::Resource, "archive", "cannot be started", "close other programs");
    }
    ~Packer()
    {
        if (m_way == Way::Inflate)
            ::inflateEnd(&m_state);
        else
            ::deflateEnd(&m_state);
    }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    // Takes from the front of `in` and fills the front of `out`; how much of it. False: the data is damaged.
    bool go(std::span<const std::byte>& in, std::span<std::byte> out, bool isLast, std::size_t& made)
    {
        const std::size_t given = std::min(in.size(), atOnce);
        m_state.next_in = reinterpret_cast<const Bytef*>(in.data());
        m_state.avail_in = static_cast<uInt>(given);
        m_state.next_out = reinterpret_cast<Bytef*>(out.data());
        m_state.avail_out = static_cast<uInt>(std::min(out.size(), atOnce));
        const std::size_t room = m_state.avail_out;
        const int flush = isLast && given == in.size() ? Z_FINISH : Z_NO_FLUSH;
        const int status = m_way == Way::Inflate ? ::inflate(&m_state, Z_NO_FLUSH) : ::deflate(&m_state, flush);
        made = room - m_state.avail_out;
        in = in.subspan(given - m_state.avail_in);
        m_isAtEnd = status == Z_STREAM_END;
        return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
    }
    bool isAtEnd() const { return m_isAtEnd; }

private:
    Way m_way;
    z_stream m_state{};
    bool m_isAtEnd = false;
};

// An entry while it is read.
class EntryReader
{
public:
    EntryReader(const ZipEntry& entry, std::span<const std::byte> packed, std::shared_ptr<const MappedFile> file,
                std::string where)
        : m_packed(packed)
        , m_file(std::move(file))
        , m_left(entry.bytes)
        , m_said(entry.checksum)
        , m_where(std::move(where))
    {
        if (entry.method == deflated)
            m_packer.emplace(Packer::Way::Inflate);
    }

    void read(std::span<std::byte> part)
    {
        while (!part.empty()) {
            ThreadStop::check();
            const std::size_t got = readSome(part.first(std::min(part.size(), atOnce)));
            if (got == 0 || got > m_left)
                throwFormat(m_where, fmt::format("ends {} bytes before the announced size", m_left));
            m_checksum = nextChecksum(m_checksum, part.first(got));
            m_left -= got;
            part = part.subspan(got);
        }
        if (m_left > 0 || std::exchange(m_isVerified, true))
            return;
        std::byte more{};
        if (readSome(std::span(&more, 1)) != 0)
            throwFormat(m_where, "holds more bytes than were announced");
        verify(m_checksum, m_said, m_where);
    }

private:
    std::size_t readSome(std::span<std::byte> part)
    {
        const auto before = m_packed;
        std::size_t made = 0;
        if (m_packer) {
            while (made == 0 && !m_packer->isAtEnd()) {
                const std::size_t left = m_packed.size();
                if (!m_packer->go(m_packed, part, true, made))
                    throwFormat(m_where, "cannot be read: it is damaged");
                if (made == 0 && m_packed.size() == left)
                    break;
            }
        } else {
            made = std::min(part.size(), m_packed.size());
            std::ranges::copy(m_packed.first(made), part.begin());
            m_packed = m_packed.subspan(made);
        }
        if (m_file)
            m_file->release(before.first(before.size() - m_packed.size()));
        return made;
    }

    std::span<const std::byte> m_packed; // that has not been read
    std::shared_ptr<const MappedFile> m_file;
    std::optional<Packer> m_packer;
    std::uint64_t m_left; // bytes to come
    std::uint32_t m_checksum = 0;
    std::uint32_t m_said;
    bool m_isVerified = false;
    std::string m_where;
};

// Numbers whose bits are as good as chance lose a tenth of their bytes and take ten times as long to write and to read:
// worth it are texts, integers, and maps of which much is zero. sample: of so many bytes.
bool shrinks(std::size_t size, std::span<const std::byte> sample)
{
    constexpr int worthwhile = 8; // one zero in so many bytes
    return size < small || std::ranges::count(sample, std::byte{0}) >= std::ssize(sample) / worthwhile;
}

// Little-endian numbers, one after the other.
class Record
{
public:
    template<std::integral Integer>
    Record& add(Integer value)
    {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return *this;
    }
    Record& add(std::string_view text)
    {
        const auto bytes = std::as_bytes(std::span(text));
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return *this;
    }
    Record& add(const Record& other)
    {
        m_bytes.insert(m_bytes.end(), other.m_bytes.begin(), other.m_bytes.end());
        return *this;
    }
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

std::uint32_t narrow(std::uint64_t value, bool isWide)
{
    return isWide ? wide32 : static_cast<std::uint32_t>(value);
}

std::uint16_t size16(std::span<const std::byte> bytes)
{
    return static_cast<std::uint16_t>(bytes.size());
}

// The fields that a local header and the directory share: from the version to the length of the name.
Record sharedFields(const ZipEntry& entry, bool isWide)
{
    Record record;
    record.add(isWide ? wideVersion : usualVersion).add(entry.flags).add(entry.method);
    record.add(std::uint16_t{0}).add(firstDay).add(entry.checksum);
    record.add(narrow(entry.packedBytes, isWide)).add(narrow(entry.bytes, isWide));
    record.add(static_cast<std::uint16_t>(entry.name.size()));
    return record;
}

// Whether its sizes need zip64. Deflate makes a little more of them at most.
bool hasWideSizes(const ZipEntry& entry)
{
    constexpr std::uint64_t most = wide32 - (wide32 >> 8U);
    return entry.bytes > most || entry.packedBytes >= wide32;
}

Record localHeader(const ZipEntry& entry)
{
    const bool isWide = hasWideSizes(entry);
    Record extra;
    if (isWide)
        extra.add(wideField).add(std::uint16_t{16}).add(entry.bytes).add(entry.packedBytes);
    Record record;
    record.add(localMark).add(sharedFields(entry, isWide)).add(size16(extra.bytes())).add(entry.name).add(extra);
    return record;
}

Record directoryEntry(const ZipEntry& entry)
{
    const bool isWide = hasWideSizes(entry) || entry.offset >= wide32;
    Record extra;
    if (isWide)
        extra.add(wideField).add(std::uint16_t{24}).add(entry.bytes).add(entry.packedBytes).add(entry.offset);
    Record record;
    record.add(entryMark).add(static_cast<std::uint16_t>(madeOnUnix | (isWide ? wideVersion : usualVersion)));
    record.add(sharedFields(entry, isWide)).add(size16(extra.bytes()));
    record.add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint16_t{0}).add(readableFile); // comment, disk, kind
    record.add(narrow(entry.offset, isWide)).add(entry.name).add(extra);
    return record;
}

Record endRecords(std::uint64_t entries, std::uint64_t bytes, std::uint64_t offset)
{
    Record record;
    const bool isWide = entries >= wide16 || bytes >= wide32 || offset >= wide32;
    if (isWide) {
        record.add(wideEndMark).add(std::uint64_t{wideEndBytes - 12}).add(wideVersion).add(wideVersion);
        record.add(std::uint32_t{0}).add(std::uint32_t{0}).add(entries).add(entries).add(bytes).add(offset);
        record.add(locatorMark).add(std::uint32_t{0}).add(offset + bytes).add(std::uint32_t{1});
    }
    const auto count = isWide ? wide16 : static_cast<std::uint16_t>(entries);
    record.add(endMark).add(std::uint32_t{0}).add(count).add(count);
    record.add(narrow(bytes, isWide)).add(narrow(offset, isWide)).add(std::uint16_t{0});
    return record;
}

} // namespace

ZipReader::ZipReader(const std::filesystem::path& path)
    : m_where(path.string())
    , m_file(std::make_shared<const MappedFile>(path))
    , m_bytes(m_file->bytes())
{
    readDirectory(findDirectory());
}

ZipReader::ZipReader(std::span<const std::byte> bytes, std::string where)
    : m_where(std::move(where))
    , m_bytes(bytes)
{
    readDirectory(findDirectory());
}

std::span<const std::byte> ZipReader::part(std::uint64_t offset, std::uint64_t count, std::string_view what) const
{
    if (offset > m_bytes.size() || count > m_bytes.size() - offset)
        throwFormat(m_where,
                    fmt::format("{} lies at bytes {} to {} + {}, but the file holds {}", what, offset, offset, count,
                                m_bytes.size()));
    return m_bytes.subspan(offset, count);
}

ZipReader::Directory ZipReader::findDirectory() const
{
    const std::size_t furthest = std::min(m_bytes.size(), endBytes + longestComment);
    for (std::size_t back = endBytes; back <= furthest; ++back) {
        const std::size_t position = m_bytes.size() - back;
        ByteReader reader(m_bytes.subspan(position), m_where);
        if (reader.integer<std::uint32_t>() != endMark)
            continue;
        reader.take(2 + 2 + 2); // disks, entries on this one
        Directory directory;
        directory.entries = reader.integer<std::uint16_t>();
        directory.bytes = reader.integer<std::uint32_t>();
        directory.offset = reader.integer<std::uint32_t>();
        const bool isWide = directory.entries == wide16 || directory.bytes == wide32 || directory.offset == wide32;
        return isWide ? findWideDirectory(position) : directory;
    }
    constexpr std::string_view archiveStart = "PK";
    const std::string_view text(reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size());
    if (!text.starts_with(archiveStart))
        refuseByStart(m_bytes.first(std::min(m_bytes.size(), startLength)), m_where);
    throwFormat(m_where,
                text.starts_with(archiveStart) ? "is a zip archive without a directory at its end"
                                               : "cannot be read as a zip archive");
}

ZipReader::Directory ZipReader::findWideDirectory(std::size_t end) const
{
    if (end < locatorBytes)
        throwFormat(m_where, "is a large zip archive without its locator");
    ByteReader locator(m_bytes.subspan(end - locatorBytes), m_where);
    if (locator.integer<std::uint32_t>() != locatorMark)
        throwFormat(m_where, "is a large zip archive without its locator");
    locator.take(4); // disk
    ByteReader reader(part(locator.integer<std::uint64_t>(), wideEndBytes, "the large directory record"), m_where);
    if (reader.integer<std::uint32_t>() != wideEndMark)
        throwFormat(m_where, "has no large directory record where it says");
    reader.take(8 + 2 + 2 + 4 + 4 + 8); // size, versions, disks, entries on this one
    Directory directory;
    directory.entries = reader.integer<std::uint64_t>();
    directory.bytes = reader.integer<std::uint64_t>();
    directory.offset = reader.integer<std::uint64_t>();
    return directory;
}

void ZipReader::readDirectory(const Directory& directory)
{
    if (const std::uint64_t most = limit(Limit::ZipEntries); directory.entries > most)
        throw Error(ErrorKind::Format, m_where,
                    fmt::format("holds {} entries, more than the {} that are read", directory.entries, most),
                    otherLimit(Limit::ZipEntries));
    ByteReader reader(part(directory.offset, directory.bytes, "the directory"), m_where);
    if (directory.entries > reader.remaining() / entryBytes)
        throwFormat(m_where, fmt::format("claims {} entries, more than fit into its directory", directory.entries));
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        m_entries.push_back(readEntry(reader));
        if (!m_places.emplace(m_entries.back().name, i).second)
            throwFormat(m_where, fmt::format("holds \"{}\" twice", m_entries.back().name));
    }
    if (reader.remaining() > 0)
        throwFormat(m_where, fmt::format("has a directory of more than the {} entries it claims", directory.entries));
}

ZipEntry ZipReader::readEntry(ByteReader& reader) const
{
    if (reader.integer<std::uint32_t>() != entryMark)
        throwFormat(m_where, "has a broken directory");
    ZipEntry entry;
    reader.take(4); // versions
    entry.flags = reader.integer<std::uint16_t>();
    entry.method = reader.integer<std::uint16_t>();
    reader.take(4); // time
    entry.checksum = reader.integer<std::uint32_t>();
    entry.packedBytes = reader.integer<std::uint32_t>();
    entry.bytes = reader.integer<std::uint32_t>();
    const auto nameBytes = reader.integer<std::uint16_t>();
    const auto extraBytes = reader.integer<std::uint16_t>();
    const auto commentBytes = reader.integer<std::uint16_t>();
    reader.take(8); // disk, attributes
    entry.offset = reader.integer<std::uint32_t>();
    const auto text = reader.take(nameBytes);
    entry.name.assign(reinterpret_cast<const char*>(text.data()), text.size());
    ByteReader extra(reader.take(extraBytes), fmt::format("{}: {}", m_where, entry.name));
    while (extra.remaining() >= 4) {
        const auto field = extra.integer<std::uint16_t>();
        ByteReader numbers(extra.take(extra.integer<std::uint16_t>()), m_where);
        if (field != wideField)
            continue;
        for (std::uint64_t* number : {&entry.bytes, &entry.packedBytes, &entry.offset})
            if (*number == wide32)
                *number = numbers.integer<std::uint64_t>();
    }
    reader.take(commentBytes);
    return entry;
}

std::vector<std::string> ZipReader::names() const
{
    std::vector<std::string> result;
    result.reserve(m_entries.size());
    for (const ZipEntry& entry : m_entries)
        result.push_back(entry.name);
    return result;
}

const ZipEntry& ZipReader::found(std::string_view name) const
{
    const auto place = m_places.find(name);
    if (place == m_places.end())
        throwFormat(m_where, fmt::format("holds no \"{}\"", name));
    const ZipEntry& entry = m_entries[place->second];
    if ((entry.flags & encryptedFlag) != 0)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", m_where, name), "is encrypted",
                    "store it without a password");
    return entry;
}

// The bytes of an entry, as they are in the archive.
std::span<const std::byte> ZipReader::packed(const ZipEntry& entry) const
{
    ByteReader header(part(entry.offset, localBytes, "an entry"), m_where);
    if (header.integer<std::uint32_t>() != localMark)
        throwFormat(fmt::format("{}: {}", m_where, entry.name), "does not begin where the directory says");
    header.take(localBytes - 4 - 4);
    const auto nameBytes = header.integer<std::uint16_t>();
    const auto extraBytes = header.integer<std::uint16_t>();
    return part(entry.offset + localBytes + nameBytes + extraBytes, entry.packedBytes, entry.name);
}

ByteSource ZipReader::open(std::string_view name, std::uint64_t maximumBytes, const std::string& advice) const
{
    const std::string where = fmt::format("{}: {}", m_where, name);
    const ZipEntry& entry = found(name);
    if (entry.method != stored && entry.method != deflated)
        throw Error(ErrorKind::Unsupported, where, "is compressed by a method that is not read",
                    "use stored or deflated entries");
    if (entry.bytes > maximumBytes && !advice.empty())
        throw Error(
            ErrorKind::Resource, where,
            fmt::format("unpacks to {}, more than the {} that are read", byteText(entry.bytes), byteText(maximumBytes)),
            advice);
    if (entry.bytes > maximumBytes)
        throwFormat(where, fmt::format("claims {} bytes, more than the {} that are read", entry.bytes, maximumBytes));
    const std::uint64_t packedBytes = std::min<std::uint64_t>(entry.packedBytes, m_bytes.size());
    if (entry.method == stored ? entry.bytes != packedBytes : entry.bytes / largestRatio > packedBytes + ratioSlack)
        throwFormat(where, fmt::format("claims {} bytes from {} compressed ones", entry.bytes, packedBytes));
    const auto reader = std::make_shared<EntryReader>(entry, packed(entry), m_file, where);
    return {entry.bytes, [reader](std::span<std::byte> part) { reader->read(part); }};
}

std::span<const std::byte> ZipReader::entry(std::string_view name) const
{
    const ZipEntry& entry = found(name);
    if (entry.method != stored || entry.packedBytes != entry.bytes)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", m_where, name), "is compressed",
                    "write the file with torch.save, which stores it");
    return packed(entry);
}

std::span<const std::byte> ZipReader::verifiedEntry(std::string_view name) const
{
    const auto bytes = entry(name);
    if (const std::uint32_t said = found(name).checksum; said != noChecksum)
        verify(nextChecksum(0, bytes), said, fmt::format("{}: {}", m_where, name));
    return bytes;
}

ZipWriter::ZipWriter(Compression compression)
    : m_compression(compression)
{
}

void ZipWriter::add(const std::string& name, std::vector<std::byte> content)
{
    const bool isDeflated = shrinks(content.size(), content);
    add(name, {sourceOf(std::move(content)), isDeflated});
}

void ZipWriter::add(const std::string& name, ByteSource content, std::span<const std::byte> sample)
{
    const bool isDeflated = shrinks(content.size, sample);
    add(name, {std::move(content), isDeflated});
}

void ZipWriter::copy(const std::string& name, std::shared_ptr<const ZipReader> from)
{
    add(name, {{}, false, std::move(from)});
}

void ZipWriter::add(const std::string& name, Added added)
{
    if (name.size() > wide16 || !m_names.insert(name).second)
        throw Error(ErrorKind::Input, name, "cannot be added to the archive: the name is taken");
    m_added.emplace_back(name, std::move(added));
}

namespace {

using WriteBytes = std::function<void(std::span<const std::byte> bytes)>;

// Reads all of it, and writes it as the entry's method has it. Sets the entry's checksum and size.
void writeContent(const ByteSource& content, ZipEntry& entry, const WriteBytes& write)
{
    std::optional<Packer> packer;
    if (entry.method == deflated)
        packer.emplace(Packer::Way::Deflate);
    std::vector<std::byte> part;
    std::vector<std::byte> made(atOnce);
    for (std::size_t left = content.size; left > 0 || (packer && !packer->isAtEnd());) {
        ThreadStop::check();
        part.resize(std::min(left, atOnce));
        if (!part.empty())
            content.read(part);
        left -= part.size();
        entry.checksum = nextChecksum(entry.checksum, part);
        if (!packer) {
            write(part);
            entry.packedBytes += part.size();
            continue;
        }
        std::span<const std::byte> in(part);
        std::size_t count = 0;
        do {
            packer->go(in, made, left == 0, count);
            write(std::span(made).first(count));
            entry.packedBytes += count;
        } while (!in.empty() || count == made.size());
    }
}

void copyContent(std::span<const std::byte> packed, const WriteBytes& write)
{
    for (; !packed.empty(); packed = packed.subspan(std::min(packed.size(), atOnce))) {
        ThreadStop::check();
        write(packed.first(std::min(packed.size(), atOnce)));
    }
}

} // namespace

void ZipWriter::write(const Target& target) const
{
    std::uint64_t position = 0;
    const auto write = [&](std::span<const std::byte> bytes) {
        target.write(bytes);
        position += bytes.size();
    };
    std::vector<ZipEntry> entries;
    for (const auto& [name, added] : m_added) {
        ZipEntry entry = added.from ? added.from->found(name) : ZipEntry{name};
        const bool isAscii = std::ranges::all_of(name, [](char c) { return static_cast<signed char>(c) > 0; });
        entry.flags = isAscii ? 0 : utf8Flag;
        entry.offset = position;
        if (added.from) {
            write(localHeader(entry).bytes());
            copyContent(added.from->packed(added.from->found(name)), write);
        } else {
            const bool isDeflated = added.isDeflated && m_compression == Compression::Deflated;
            entry.method = isDeflated ? deflated : stored;
            entry.bytes = added.content.size;
            write(localHeader(entry).bytes());
            writeContent(added.content, entry, write);
            target.goTo(entry.offset);
            target.write(localHeader(entry).bytes());
            target.goTo(position);
        }
        entries.push_back(std::move(entry));
    }
    const std::uint64_t offset = position;
    for (const ZipEntry& entry : entries)
        write(directoryEntry(entry).bytes());
    write(endRecords(entries.size(), position - offset, offset).bytes());
}

std::vector<std::byte> ZipWriter::finish()
{
    std::vector<std::byte> archive;
    std::size_t position = 0;
    write({[&](std::span<const std::byte> bytes) {
               archive.resize(std::max(archive.size(), position + bytes.size()));
               std::ranges::copy(bytes, archive.begin() + static_cast<std::ptrdiff_t>(position));
               position += bytes.size();
           },
           [&](std::uint64_t to) { position = to; }});
    return archive;
}

void ZipWriter::save(const std::filesystem::path& path, Readers readers)
{
    AtomicFile file(path, readers);
    if (file.goesBack())
        write({[&](std::span<const std::byte> bytes) { file.write(bytes); },
               [&](std::uint64_t position) { file.goTo(position); }});
    else
        file.write(finish());
    file.commit();
}

ByteSource ZipWriter::spool(const std::filesystem::path& folder)
{
    const auto file = std::make_shared<UnnamedFile>(folder);
    write({[&](std::span<const std::byte> bytes) { file->write(bytes); },
           [&](std::uint64_t position) { file->goTo(position); }});
    const std::uint64_t size = file->size();
    file->goTo(0);
    return {size, [file](std::span<std::byte> part) { file->read(part); }};
}

} // namespace attn
