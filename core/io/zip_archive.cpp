// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/zip_archive.h"

#include "base/error.h"
#include "io/mapped_file.h"

#include <zip.h>

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <set>
#include <span>
#include <utility>

namespace attn {

namespace {

// Deflate cannot shrink anything further than 1032 to 1.
constexpr std::uint64_t largestRatio = 1032;
constexpr std::uint64_t ratioSlack = 4096;
constexpr int deflateLevel = 1;
constexpr std::size_t small = 65536; // bytes
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
// worth it are texts, integers, and maps of which much is zero.
bool shrinks(std::span<const std::byte> content)
{
    constexpr int worthwhile = 8; // one zero in so many bytes
    return content.size() < small || std::ranges::count(content, std::byte{0}) >= std::ssize(content) / worthwhile;
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
            const std::size_t got = readSome(part);
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

bool ZipReader::contains(std::string_view name) const
{
    return m_indices.contains(name);
}

ByteSource ZipReader::open(std::string_view name, std::uint64_t maximumBytes) const
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
    Compression compression;
    Owned<zip_t> archive;
    Owned<zip_source_t> output; // kept beyond the archive, which writes into it
    std::deque<std::vector<std::byte>> contents; // read when the archive is closed
};

ZipWriter::ZipWriter(Compression compression)
    : m_build(std::make_unique<Build>())
{
    m_build->compression = compression;
    zip_error_t error;
    zip_error_init(&error);
    m_build->output.reset(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (m_build->output != nullptr) {
        zip_source_keep(m_build->output.get());
        m_build->archive.reset(zip_open_from_source(m_build->output.get(), ZIP_TRUNCATE, &error));
    }
    if (m_build->archive == nullptr)
        throw Error(ErrorKind::Resource, "archive", "cannot be started: " + message(error));
}

ZipWriter::~ZipWriter() = default;
ZipWriter::ZipWriter(ZipWriter&&) noexcept = default;
ZipWriter& ZipWriter::operator=(ZipWriter&&) noexcept = default;

void ZipWriter::add(const std::string& name, std::vector<std::byte> content)
{
    zip_t* archive = m_build->archive.get();
    const auto& stored = m_build->contents.emplace_back(std::move(content));
    Owned<zip_source_t> source(zip_source_buffer(archive, stored.data(), stored.size(), 0));
    const zip_int64_t index =
        source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0)
        throw Error(ErrorKind::Input, name, std::string("cannot be added to the archive: ") + zip_strerror(archive));
    (void)source.release(); // the archive owns it now
    const bool deflate = m_build->compression == Compression::Deflated && shrinks(stored);
    zip_set_file_compression(archive, index, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, deflate ? deflateLevel : 0);
    zip_file_set_dostime(archive, index, 0, firstDay, 0);
}

std::vector<std::byte> ZipWriter::finish()
{
    if (zip_close(m_build->archive.get()) != 0)
        throw Error(ErrorKind::Resource, "archive",
                    std::string("cannot be written: ") + zip_strerror(m_build->archive.get()));
    (void)m_build->archive.release(); // zip_close has freed it
    zip_source_t* output = m_build->output.get();
    zip_stat_t status;
    std::vector<std::byte> bytes;
    if (zip_source_stat(output, &status) != 0 || zip_source_open(output) != 0)
        throw Error(ErrorKind::Resource, "archive", "cannot be read back");
    bytes.resize(status.size);
    const zip_int64_t got = zip_source_read(output, bytes.data(), bytes.size());
    zip_source_close(output);
    if (std::cmp_not_equal(got, bytes.size()))
        throw Error(ErrorKind::Resource, "archive", "cannot be read back");
    return bytes;
}

} // namespace attn
