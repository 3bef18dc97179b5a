// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/named_files.h"

#include "app/exit_status.h"
#include "base/error.h"
#include "base/utf8.h"
#include "commands/options.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"

#include <climits>

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <vector>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

fs::path onlyName(const fs::path& path)
{
    std::error_code unknown;
    const fs::path written = writtenPath(path);
    const fs::path only = fs::weakly_canonical(fs::absolute(written, unknown), unknown);
    return unknown ? written : only;
}

bool isSameFile(const fs::path& one, const fs::path& other)
{
    struct stat first = {};
    struct stat second = {};
    const bool isFirst = ::stat(one.c_str(), &first) == 0;
    const bool isSecond = ::stat(other.c_str(), &second) == 0;
    if (isFirst && isSecond)
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    return isFirst == isSecond && onlyName(one) == onlyName(other);
}

} // namespace

void requireDifferentFiles(std::span<const NamedFile> files)
{
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t j = i + 1; j < files.size(); ++j) {
            const bool areRead = files[i].use == NamedFile::Use::Read && files[j].use == NamedFile::Use::Read;
            if (!areRead && isSameFile(files[i].path, files[j].path))
                throw UsageError(fmt::format("{} and {} name the same file, {}", files[i].name, files[j].name,
                                             files[i].path.string()));
        }
    }
}

void requireOtherOutput(const std::string& option, const std::optional<std::string>& read, const std::string& output)
{
    if (read)
        requireDifferentFiles(
            std::array{NamedFile{option, *read, NamedFile::Use::Read}, NamedFile{"--output", output}});
}

void requireOtherThanModel(const std::string& model, const NamedFile& written)
{
    std::error_code unknown;
    if (fs::is_regular_file(model, unknown))
        requireDifferentFiles(std::array{NamedFile{"MODEL", model, NamedFile::Use::Read}, written});
    if (model.empty() || holdsRuns(model) || !fs::exists(written.path, unknown))
        return;
    std::vector<fs::path> files;
    try {
        files = filesByName(model);
    } catch (const Error&) { // loading it says why
    }
    for (const fs::path& file : files)
        if (isSameFile(file, written.path))
            throw UsageError(fmt::format("{}: {} has the name of a model's file, {}; choose another", written.name,
                                         written.path.string(), file.filename().string()));
}

void requireFileName(const NamedFile& file)
{
    const std::string name = file.path.filename().string();
    if (name.empty())
        throw UsageError(fmt::format("{}: '{}' names no file", file.name, file.path.string()));
    std::error_code unknown;
    if (fs::is_directory(file.path, unknown) && !leadsToDescriptor(file.path))
        throw UsageError(fmt::format("{}: {} is a directory; name a file", file.name, file.path.string()));
    if (name.size() > NAME_MAX)
        throw UsageError(
            fmt::format("{}: a name may have {} bytes, {} has {}", file.name, NAME_MAX, name, name.size()));
}

bool becomesFile(const fs::path& path)
{
    std::error_code unknown;
    return !fs::exists(path, unknown) || fs::is_regular_file(path, unknown);
}

void requireWritable(const NamedFile& file)
{
    requireFileName(file);
    if (becomesFile(file.path))
        const AtomicFile tried(file.path);
}

void requireUtf8Name(const std::string& option, const std::string& name)
{
    if (validUtf8Prefix(name) != name.size())
        throw UsageError(fmt::format("{}: the name {} is not UTF-8; give the file another one", option, name));
}

} // namespace attn::app
