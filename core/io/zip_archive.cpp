// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/zip_archive.h"

#include "base/error.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/thread_stop.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "io/unnamed_file.h"
#include "io/zip_directory.h"

#include <zip.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <span>
#include <utility>

namespace attn {

namespace {

// Deflate cannot shrink anything further than 1032 to 1.
constexpr std::uint64_t largestRatio = 1032;
constexpr std::uint64_t ratioSlack = 4096;
// Names are short. As many entries as may be with the limit that is built in take less than 65,536, whose number is
// stored modulo that, take at least.
constexpr std::uint64_t directoryOfEntry = 250; // bytes, at most
constexpr int deflateLevel = 1;
constexpr std::size_t small = 65536; // bytes
constexpr std::size_t readAtOnce = std::size_t{1} << 20U; // bytes, before it is asked whether to stop
constexpr zip_uint16_t firstDay = 0x21; // 1980-01-01: the same content gives the same bytes

std::string message(zip_error_t& error)
{
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

[[noreturn]] void throwFormat(const std::string& where, const std::string& problem)
{
    throw Error(ErrorKind::Format, where, problem, "the file is damaged or not what its name says");
}

// Numbers whose bits are as good as chance lose a tenth of their bytes and take ten times as long to write and to read:
// worth it are texts, integers, and maps of which much is zero. sample: of so many bytes.
bool shrinks(std::size_t size, std::span<const std::byte> sample)
{
    constexpr int worthwhile = 8; // one zero in so many bytes
    return size < small || std::ranges::count(sample, std::byte{0}) >= std::ssize(sample) / worthwhile;
}

struct Closer
{
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
template<class T>
using Owned = std::unique_ptr<T, Closer>;

// An entry while it is read.
class ZipEntry
{
public:
    ZipEntry(Owned<zip_file_t> file, std::uint64_t size, std::string where)
        : m_file(std::move(file))
        , m_left(size)
        , m_where(std::move(where))
    {
    }

    void read(std::span<std::byte> part)
    {
        while (!part.empty()) {
            ThreadStop::check();
            const std::size_t got = readSome(part.first(std::min(part.size(), readAtOnce)));
            if (got == 0)
                throwFormat(m_where, fmt::format("ends {} bytes before the announced size", m_left));
            m_left -= std::min<std::uint64_t>(got, m_left);
            part = part.subspan(got);
        }
        std::byte more{};
        if (m_left == 0 && readSome(std::span(&more, 1)) != 0) // the end verifies the checksum
            throwFormat(m_where, "holds more bytes than were announced");
    }

private:
    std::size_t readSome(std::span<std::byte> part)
    {
        const zip_int64_t got = zip_fread(m_file.get(), part.data(), part.size());
        if (got < 0)
            throwFormat(m_where,
                        std::string("cannot be read: ") + zip_error_strerror(zip_file_get_error(m_file.get())));
        return got;
    }

    Owned<zip_file_t> m_file;
    std::uint64_t m_left;
    std::string m_where;
};

// Calls `body`, whose exception waits in `problem` until libzip has returned; then the result is -1.
template<class Body>
zip_int64_t guarded(std::exception_ptr& problem, zip_error_t& error, const Body& body)
{
    try {
        return body();
    } catch (...) {
        problem = std::current_exception();
        zip_error_set(&error, ZIP_ER_WRITE, 0);
        return -1;
    }
}

// What libzip reads an entry from that it writes.
class EntrySource
{
public:
    EntrySource(const ByteSource& content, std::exception_ptr& problem)
        : m_content(&content)
        , m_left(content.size)
        , m_problem(&problem)
    {
        zip_error_init(&m_error);
    }

    static zip_int64_t command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command)
    {
        auto& entry = *static_cast<EntrySource*>(self);
        switch (command) {
        case ZIP_SOURCE_OPEN:
        case ZIP_SOURCE_CLOSE:
        case ZIP_SOURCE_FREE:
            return 0;
        case ZIP_SOURCE_READ:
            return entry.read({static_cast<std::byte*>(data), length});
        case ZIP_SOURCE_STAT: {
            auto& status = *static_cast<zip_stat_t*>(data);
            zip_stat_init(&status);
            status.size = entry.m_content->size;
            status.valid |= ZIP_STAT_SIZE;
            return sizeof status;
        }
        case ZIP_SOURCE_ERROR:
            return zip_error_to_data(&entry.m_error, data, length);
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
        default:
            zip_error_set(&entry.m_error, ZIP_ER_OPNOTSUPP, 0);
            return -1;
        }
    }

private:
    zip_int64_t read(std::span<std::byte> room)
    {
        const auto part = room.first(std::min(room.size(), m_left));
        return guarded(*m_problem, m_error, [&] {
            ThreadStop::check();
            m_content->read(part);
            m_left -= part.size();
            return static_cast<zip_int64_t>(part.size());
        });
    }

    const ByteSource* m_content;
    std::size_t m_left;
    std::exception_ptr* m_problem;
    zip_error_t m_error{};
};

// What libzip writes an archive to.
class FileTarget
{
public:
    using Write = std::function<void(std::span<const std::byte> bytes)>;
    using GoTo = std::function<void(std::uint64_t position)>;

    FileTarget(Write write, GoTo goTo, std::exception_ptr& problem)
        : m_write(std::move(write))
        , m_goTo(std::move(goTo))
        , m_problem(problem)
    {
        zip_error_init(&m_error);
    }

    static zip_int64_t command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command)
    {
        auto& target = *static_cast<FileTarget*>(self);
        switch (command) {
        case ZIP_SOURCE_OPEN:
        case ZIP_SOURCE_CLOSE:
        case ZIP_SOURCE_BEGIN_WRITE:
        case ZIP_SOURCE_ROLLBACK_WRITE:
        case ZIP_SOURCE_REMOVE:
        case ZIP_SOURCE_FREE:
            return 0;
        case ZIP_SOURCE_COMMIT_WRITE:
            return guarded(target.m_problem, target.m_error, [&] { return target.flush(); });
        case ZIP_SOURCE_WRITE:
            return target.write({static_cast<const std::byte*>(data), length});
        case ZIP_SOURCE_SEEK_WRITE:
            return target.goTo(data, length);
        case ZIP_SOURCE_TELL_WRITE:
            return target.m_position;
        case ZIP_SOURCE_STAT:
            zip_stat_init(static_cast<zip_stat_t*>(data));
            return sizeof(zip_stat_t);
        case ZIP_SOURCE_ERROR:
            return zip_error_to_data(&target.m_error, data, length);
        case ZIP_SOURCE_SUPPORTS: // libzip reads nothing of a new archive, but asks that it could
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                                  ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                                  ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
                                                  ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
        default:
            zip_error_set(&target.m_error, ZIP_ER_OPNOTSUPP, 0);
            return -1;
        }
    }

private:
    static constexpr std::size_t together = std::size_t{1} << 20U; // bytes

    zip_int64_t flush()
    {
        m_write(m_waiting);
        m_waiting.clear();
        return 0;
    }

    zip_int64_t write(std::span<const std::byte> bytes)
    {
        return guarded(m_problem, m_error, [&] {
            m_waiting.insert(m_waiting.end(), bytes.begin(), bytes.end());
            if (m_waiting.size() >= together)
                flush();
            m_position += std::ssize(bytes);
            m_end = std::max(m_end, m_position);
            return static_cast<zip_int64_t>(bytes.size());
        });
    }

    zip_int64_t goTo(void* data, zip_uint64_t length)
    {
        const zip_int64_t position = zip_source_seek_compute_offset(m_position, m_end, data, length, &m_error);
        if (position < 0)
            return -1;
        return guarded(m_problem, m_error, [&] {
            flush();
            m_goTo(static_cast<std::uint64_t>(position));
            m_position = position;
            return zip_int64_t{0};
        });
    }

    Write m_write;
    GoTo m_goTo;
    std::exception_ptr& m_problem;
    std::vector<std::byte> m_waiting; // for the file
    zip_int64_t m_position = 0;
    zip_int64_t m_end = 0;
    zip_error_t m_error{};
};

} // namespace

struct ZipReader::Handle
{
    Owned<zip_t> archive;
};

ZipReader::ZipReader(const std::filesystem::path& path)
    : m_where(path.string())
{
    auto file = openRegularFile(path);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_filep_create(file.get(), 0, 0, &error); // to the end
    if (source != nullptr)
        (void)file.release(); // the source closes it
    readDirectory(source, error);
}

ZipReader::ZipReader(std::span<const std::byte> bytes, std::string where)
    : m_where(std::move(where))
{
    zip_error_t error;
    zip_error_init(&error);
    readDirectory(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error), error);
}

ZipReader::~ZipReader() = default;
ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader& ZipReader::operator=(ZipReader&&) noexcept = default;

void ZipReader::readDirectory(zip_source* bytes, zip_error& error)
{
    if (bytes == nullptr)
        throwFormat(m_where, "cannot be read as a zip archive: " + message(error));
    Owned<zip_source_t> source(bytes);
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(source.get(), &status) == 0 && (status.valid & ZIP_STAT_SIZE) != 0)
        m_size = status.size;
    if (m_size == 0) // an archive without entries to libzip
        throwFormat(m_where, "cannot be read as a zip archive: it is empty");
    checkDirectory(source.get());
    m_handle = std::make_unique<Handle>();
    m_handle->archive.reset(zip_open_from_source(source.get(), ZIP_RDONLY, &error));
    if (m_handle->archive == nullptr)
        throwFormat(m_where, "cannot be read as a zip archive: " + message(error));
    (void)source.release(); // the archive owns it now
    const zip_int64_t count = zip_get_num_entries(m_handle->archive.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
        const zip_uint64_t index = i;
        const char* name = zip_get_name(m_handle->archive.get(), index, ZIP_FL_ENC_GUESS);
        if (name == nullptr)
            throwFormat(m_where, fmt::format("entry {} has no readable name", i));
        if (!m_indices.emplace(name, index).second)
            throwFormat(m_where, fmt::format("holds \"{}\" twice", name));
        m_names.emplace_back(name);
    }
}

// Before libzip reads it, whose time can grow with the square of the number of entries.
void ZipReader::checkDirectory(zip_source* bytes) const
{
    if (zip_source_open(bytes) != 0)
        throwFormat(m_where, "cannot be read as a zip archive");
    const ClaimedDirectory claimed =
        claimedDirectory(m_size, m_where, [&](std::uint64_t position, std::span<std::byte> part) {
            if (zip_source_seek(bytes, static_cast<zip_int64_t>(position), SEEK_SET) != 0
                || zip_source_read(bytes, part.data(), part.size()) != std::ssize(part))
                throwFormat(m_where, "cannot be read as a zip archive: its end cannot be read");
        });
    zip_source_close(bytes);
    const std::uint64_t most = limit(Limit::ZipEntries);
    const auto refuse = [this](const std::string& problem) {
        throw Error(ErrorKind::Format, m_where, problem, otherLimit(Limit::ZipEntries));
    };
    if (claimed.entries > most)
        refuse(fmt::format("holds {} entries, more than the {} that are read", claimed.entries, most));
    if (claimed.bytes / directoryOfEntry > most)
        refuse(fmt::format("has a directory of {} bytes, more than the {} of {} entries that are read", claimed.bytes,
                           most * directoryOfEntry, most));
}

bool ZipReader::contains(std::string_view name) const
{
    return m_indices.contains(name);
}

ByteSource ZipReader::open(std::string_view name, std::uint64_t maximumBytes, const std::string& advice) const
{
    const std::string where = fmt::format("{}: {}", m_where, name);
    const auto found = m_indices.find(name);
    if (found == m_indices.end())
        throwFormat(m_where, fmt::format("holds no \"{}\"", name));
    zip_t* archive = m_handle->archive.get();
    zip_stat_t status;
    constexpr zip_uint64_t needed =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive, found->second, 0, &status) != 0 || (status.valid & needed) != needed)
        throwFormat(where, "has no readable directory entry");
    if (status.encryption_method != ZIP_EM_NONE)
        throw Error(ErrorKind::Unsupported, where, "is encrypted", "store it without a password");
    if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
        throw Error(ErrorKind::Unsupported, where, "is compressed by a method that is not read",
                    "use stored or deflated entries");
    if (status.size > maximumBytes && !advice.empty())
        throw Error(
            ErrorKind::Resource, where,
            fmt::format("unpacks to {}, more than the {} that are read", byteText(status.size), byteText(maximumBytes)),
            advice);
    if (status.size > maximumBytes)
        throwFormat(where, fmt::format("claims {} bytes, more than the {} that are read", status.size, maximumBytes));
    const std::uint64_t compressed = std::min<std::uint64_t>(status.comp_size, m_size);
    const bool stored = status.comp_method == ZIP_CM_STORE;
    if (stored ? status.size > compressed : status.size / largestRatio > compressed + ratioSlack)
        throwFormat(where, fmt::format("claims {} bytes from {} compressed ones", status.size, compressed));

    Owned<zip_file_t> file(zip_fopen_index(archive, found->second, 0));
    if (file == nullptr)
        throwFormat(where, std::string("cannot be read: ") + zip_strerror(archive));
    const auto entry = std::make_shared<ZipEntry>(std::move(file), status.size, where);
    return {status.size, [entry](std::span<std::byte> part) { entry->read(part); }};
}

struct ZipWriter::Build
{
    Compression compression = Compression::Deflated;
    struct Entry
    {
        std::string name;
        ByteSource content;
        bool deflated = false;
        std::shared_ptr<const ZipReader> from = {}; // in place of content: it has the entry, too
    };
    std::vector<Entry> entries;
    std::set<std::string> names;

    void add(std::string name, ByteSource content, bool isDeflated, std::shared_ptr<const ZipReader> from = {});
    void write(zip_source_t* output, std::exception_ptr& problem) const; // takes it
    void write(FileTarget::Write write, FileTarget::GoTo goTo) const;
};

void ZipWriter::Build::write(zip_source_t* output, std::exception_ptr& problem) const
{
    Owned<zip_source_t> target(output);
    zip_error_t error;
    zip_error_init(&error);
    Owned<zip_t> archive;
    if (target != nullptr)
        archive.reset(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error));
    if (archive == nullptr)
        throw Error(ErrorKind::Resource, "archive", "cannot be started: " + message(error));
    (void)target.release(); // the archive owns it now
    std::deque<EntrySource> sources; // read when the archive is closed
    for (const auto& [name, content, deflated, from] : entries) {
        EntrySource& entry = sources.emplace_back(content, problem);
        Owned<zip_source_t> source(from ? zip_source_zip(archive.get(), from->m_handle->archive.get(),
                                                         from->m_indices.find(name)->second, ZIP_FL_COMPRESSED, 0, -1)
                                        : zip_source_function(archive.get(), EntrySource::command, &entry));
        const zip_int64_t index =
            source == nullptr ? -1 : zip_file_add(archive.get(), name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
        if (index < 0)
            throw Error(ErrorKind::Input, name,
                        std::string("cannot be added to the archive: ") + zip_strerror(archive.get()));
        (void)source.release(); // the archive owns it now
        if (!from)
            zip_set_file_compression(archive.get(), index, deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                     deflated ? deflateLevel : 0);
        zip_file_set_dostime(archive.get(), index, 0, firstDay, 0);
    }
    // Copied entries are read by libzip.
    zip_register_cancel_callback_with_state(
        archive.get(), [](zip_t*, void*) { return ThreadStop::isRequested() ? 1 : 0; }, nullptr, nullptr);
    if (zip_close(archive.get()) != 0) {
        if (problem)
            std::rethrow_exception(problem);
        ThreadStop::check();
        throw Error(ErrorKind::Resource, "archive", std::string("cannot be written: ") + zip_strerror(archive.get()));
    }
    (void)archive.release(); // zip_close has freed it
}

ZipWriter::ZipWriter(Compression compression)
    : m_build(std::make_unique<Build>())
{
    m_build->compression = compression;
}

ZipWriter::~ZipWriter() = default;
ZipWriter::ZipWriter(ZipWriter&&) noexcept = default;
ZipWriter& ZipWriter::operator=(ZipWriter&&) noexcept = default;

void ZipWriter::add(const std::string& name, std::vector<std::byte> content)
{
    const bool deflated = shrinks(content.size(), content);
    m_build->add(name, sourceOf(std::move(content)), deflated);
}

void ZipWriter::add(const std::string& name, ByteSource content, std::span<const std::byte> sample)
{
    const bool deflated = shrinks(content.size, sample);
    m_build->add(name, std::move(content), deflated);
}

void ZipWriter::copy(const std::string& name, std::shared_ptr<const ZipReader> from)
{
    m_build->add(name, {}, false, std::move(from));
}

void ZipWriter::Build::add(std::string name, ByteSource content, bool isDeflated, std::shared_ptr<const ZipReader> from)
{
    if (!names.insert(name).second)
        throw Error(ErrorKind::Input, name, "cannot be added to the archive: the name is taken");
    entries.push_back(
        {std::move(name), std::move(content), isDeflated && compression == Compression::Deflated, std::move(from)});
}

std::vector<std::byte> ZipWriter::finish()
{
    zip_error_t error;
    zip_error_init(&error);
    const Owned<zip_source_t> output(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (output == nullptr)
        throw Error(ErrorKind::Resource, "archive", "cannot be started: " + message(error));
    zip_source_keep(output.get()); // beyond the archive, which writes into it
    std::exception_ptr problem;
    m_build->write(output.get(), problem);
    zip_stat_t status;
    std::vector<std::byte> bytes;
    if (zip_source_stat(output.get(), &status) != 0 || zip_source_open(output.get()) != 0)
        throw Error(ErrorKind::Resource, "archive", "cannot be read back");
    bytes.resize(status.size);
    const zip_int64_t got = zip_source_read(output.get(), bytes.data(), bytes.size());
    zip_source_close(output.get());
    if (std::cmp_not_equal(got, bytes.size()))
        throw Error(ErrorKind::Resource, "archive", "cannot be read back");
    return bytes;
}

void ZipWriter::Build::write(FileTarget::Write write, FileTarget::GoTo goTo) const
{
    std::exception_ptr problem;
    FileTarget target(std::move(write), std::move(goTo), problem);
    zip_error_t error;
    zip_error_init(&error);
    this->write(zip_source_function_create(FileTarget::command, &target, &error), problem);
}

void ZipWriter::save(const std::filesystem::path& path, Readers readers)
{
    AtomicFile file(path, readers);
    if (file.goesBack())
        m_build->write([&](std::span<const std::byte> bytes) { file.write(bytes); },
                       [&](std::uint64_t position) { file.goTo(position); });
    else
        file.write(finish());
    file.commit();
}

ByteSource ZipWriter::spool(const std::filesystem::path& folder)
{
    const auto file = std::make_shared<UnnamedFile>(folder);
    m_build->write([&](std::span<const std::byte> bytes) { file->write(bytes); },
                   [&](std::uint64_t position) { file->goTo(position); });
    const std::uint64_t size = file->size();
    file->goTo(0);
    return {size, [file](std::span<std::byte> part) { file->read(part); }};
}

} // namespace attn
