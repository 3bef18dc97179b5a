// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace attn {

// Kind of a file that was expected to be something else.
struct ForeignFile
{
    std::string what; // "is a Git LFS pointer, not the file itself"
    std::string advice; // may be empty
};

// An empty file, a web page, or what begins as files of a known kind do.
std::optional<ForeignFile> identifyByStart(std::span<const std::byte> file);
void refuseByStart(std::span<const std::byte> file, const std::string& where); // Throws Error{Format} saying so
// Plain text and JSON, too; none when the first bytes say nothing.
std::optional<ForeignFile> identifyForeign(std::span<const std::byte> file);

} // namespace attn
