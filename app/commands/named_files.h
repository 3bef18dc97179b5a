// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attn::app {

// A file that the command line names, or that is made beside one.
struct NamedFile
{
    enum class Use : std::uint8_t { Read, Written };

    std::string name; // "--output"
    std::filesystem::path path;
    Use use = Use::Written;
};

// Throws UsageError where one of two is written and both are the same file, whether it is there already or not. Devices
// and pipes may be used several times.
void requireDifferentFiles(std::span<const NamedFile> files);

// The same of an option that names a text to read, where it is given, and --output.
void requireOtherOutput(const std::string& option, const std::optional<std::string>& read, const std::string& output);

// The same of a model or archive that is one file, and of what in a model's directory has the name of one of its files.
void requireOtherThanModel(const std::string& model, const NamedFile& written);

// Throws UsageError for an output that cannot be a file: its name is empty, too long, or that of a directory.
void requireFileName(const NamedFile& file);

// Whether a regular file is there, or nothing yet: no device or pipe, beside which nothing is written.
bool becomesFile(const std::filesystem::path& path);

// The same as requireFileName(), and Error{File} where no file can be made now, before anything is computed for it.
void requireWritable(const NamedFile& file);

// Throws UsageError for bytes that are no UTF-8, which Qt would replace: another file would be meant.
void requireUtf8Name(const std::string& option, const std::string& name);

} // namespace attn::app
