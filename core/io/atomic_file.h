// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace attn {

// Readers of a file that was not there before: those whom the umask lets, or its owner alone.
enum class Readers : std::uint8_t { Usual, Owner };

// Writes a file under a temporary name beside it; commit() brings it to the disk and gives it its own name, with the
// mode of the file that it replaces. Without commit() nothing changes. A device or pipe is written directly, and so is
// what an open descriptor leads to, as /dev/stdout does: they are waited for until somebody reads them. Throws
// Error{File}; while it waits Error{Cancelled} by ThreadStop.
class AtomicFile
{
public:
    explicit AtomicFile(const std::filesystem::path& path, Readers readers = Readers::Usual);
    // Goes on behind the first `kept` bytes, or all, of what an interrupted program left under unfinishedPath(path),
    // and leaves it there again without commit(), unless nothing was written. Throws Error{File} while another program
    // writes it, too, and where that name is a link or no file.
    AtomicFile(const std::filesystem::path& path, std::uint64_t kept);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    // True where bytes can be written again: what is written directly takes everything once.
    bool goesBack() const { return !m_temporary.empty(); }
    // Where the next bytes are written, counted from the first.
    void goTo(std::uint64_t position);
    // Removes everything behind so many bytes, and the next ones are written there. The disk has it when this returns.
    void cut(std::uint64_t kept);
    void sync() const; // the disk has what was written when this returns
    void commit();
    // Both are on the disk before either has its name; the first has it first.
    static void commit(AtomicFile& first, AtomicFile& second);

private:
    bool openDirectly();
    void takeModeOf(const std::filesystem::path& other) const; // nothing where there is none
    void takeName();
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path m_path; // what the caller named, for messages
    std::filesystem::path m_target; // with links followed
    std::filesystem::path m_temporary; // empty when written directly
    int m_file = -1;
    bool m_isKept = false; // without commit()
};

// The file that is written under this name: links are followed, also to one that is not there yet, but none of an open
// descriptor.
std::filesystem::path writtenPath(const std::filesystem::path& path);

// Whether that is an open descriptor of this program, as of /dev/stdout.
bool leadsToDescriptor(const std::filesystem::path& path);

// Where the lines of an interrupted program are until it goes on; a file only where `path` is one or none yet.
std::filesystem::path unfinishedPath(const std::filesystem::path& path);

// A file that has no name and goes with its last user. Throws Error{File}.
class UnnamedFile
{
public:
    explicit UnnamedFile(const std::filesystem::path& folder); // whose disk it is on
    ~UnnamedFile();
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void read(std::span<std::byte> part); // all of it
    void goTo(std::uint64_t position); // where the next bytes are written or read
    std::uint64_t size() const;

private:
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path m_folder;
    int m_file = -1;
};

} // namespace attn
