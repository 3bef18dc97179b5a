// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace attn {

// A file that holds attention: an archive, or what another tool wrote.
struct AttentionFile
{
    std::string kind; // "Whisper word timestamps (JSON)"
    std::size_t size = 1; // sentences, at least one
    std::size_t named = 0; // the one that the path names, from 0
    // One of them, from 0. Throws what readArchive throws.
    std::function<Trace(std::size_t sentence)> trace;
};

// One sentence of a file that has several, from 1: "FILE#3".
std::filesystem::path sentencePath(const std::filesystem::path& file, std::size_t number);

// Whether a path leads to one: an archive by its name, another tool's file, or a sentence of it, by how it begins. A
// model's is not.
bool isAttentionFile(const std::filesystem::path& path);

// Throws what readArchive throws; of a file that is none, what was seen in it and what is accepted.
AttentionFile openAttentionFile(const std::filesystem::path& path);
// The same of bytes that outlive it. Companions of the file are not looked for.
AttentionFile openAttentionFile(std::span<const std::byte> bytes, const std::string& where);
// The sentence that the path names, else the first.
Trace readAttentionFile(const std::filesystem::path& path);

// The kinds that are read, for messages.
std::string acceptedFiles();

} // namespace attn
