// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byte_reader.h"
#include "trace/kept_readings.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

// Attention archives (resources/documentation/formats.md section 4): .npz and .json.

enum class ArchiveForm : std::uint8_t { Npz, JsonText };

// Form by the ending of a path, whatever its case.
std::optional<ArchiveForm> archiveForm(const std::filesystem::path& path);

// Whether a path is one by its name: .npz, or .json that is not a model's own.
bool isArchivePath(const std::filesystem::path& path);

struct ArchiveOptions
{
    bool scores = false;
    bool hidden = false;
    bool logits = false;
    std::optional<StepId> leaf = {}; // last step of the hypothesis to write; none: the best
    std::string command = {}; // that writes it again; empty: none is known
    std::stop_token stop = {}; // asked between arrays
    std::map<std::string, std::shared_ptr<const ReadArray>> more = {}; // arrays beside the run's own; never null
    std::string moreMetadata = {}; // a JSON object whose fields join the others; empty: none
    bool media = true; // the picture or sound itself, which JSON never holds
    bool encoderMaps = true; // weights and scores of the encoder
};

// Writes to a temporary name beside `path` and renames. Its ending chooses the form. Throws Error{Input} for
// another ending, Error{File} when writing fails, Error{Resource} without the memory for it and Error{Cancelled}; an
// existing file then stays as it was.
void writeArchive(const std::filesystem::path& path, const Trace& trace, const ArchiveOptions& options = {});

// Memory that archives take which are read together, such as a session's runs.
class ArchiveMemory
{
public:
    explicit ArchiveMemory(std::string where); // the file's name

    // Called beforehand. Both throw Error{Resource} when all together take more than the memory that there is.
    void addFile(std::uint64_t bytes); // that is kept as it is
    void addTrace(std::uint64_t bytes); // and when one is larger than Limit::Archive
    std::uint64_t traceBytes() const { return m_traces; } // of all

private:
    void requireRoom(std::uint64_t bytes);

    std::string m_where;
    std::uint64_t m_files = 0;
    std::uint64_t m_traces = 0;
    std::uint64_t m_latest = 0; // since it was asked how much memory the system has left
};

// Reads what writeArchive or numpy.savez wrote: stored or compressed, f16/f32/f64, any integer type, C or Fortran
// order, either byte order. Throws Error{File, Format, Resource}, and Error{Cancelled} by ThreadStop.
Trace readArchive(const std::filesystem::path& path);

// The same of a .npz archive in memory; `where` names it in errors.
std::vector<std::byte> archiveBytes(const Trace& trace, const ArchiveOptions& options = {});
Trace readArchive(std::span<const std::byte> bytes, const std::string& where);
Trace readArchive(std::span<const std::byte> bytes, const std::string& where, ArchiveMemory& memory); // its trace's
// Its bytes, to be read once. Of a run whose maps are computed they lie in an unnamed file in `folder` until then.
ByteSource archiveSource(const Trace& trace, const ArchiveOptions& options, const std::filesystem::path& folder);

} // namespace attn
