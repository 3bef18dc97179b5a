// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Limits of what a file, or a run, may ask for.
enum class Limit : std::uint8_t {
    Text,
    Lines,
    Unfinished,
    Sentences,
    Json,
    JsonValues,
    Header,
    Pickle,
    PickleValues,
    ZipEntries,
    Vocabulary,
    Pieces,
    Normalized,
    RegexTime,
    RegexSteps,
    ArchiveFile,
    Archive,
    Runs,
    Figure,
    Maps,
    Memory
};

struct LimitRow
{
    const char* key;
    std::uint64_t usual;
    bool isBytes; // otherwise things are counted
    const char* what;
};
// In the order of Limit.
std::span<const LimitRow> limitRows();

// The environment variable that sets them: "json=256M archive=16G", in bytes, K, M or G.
inline constexpr auto limitsVariable = "ATTNSCOPE_LIMITS";

// By Limit. Throws Error{Input} naming what is no limit.
std::vector<std::uint64_t> parseLimits(std::string_view text);

// Advice against a limit: "ATTNSCOPE_LIMITS=archive=... sets another limit".
std::string otherLimit(Limit which);

// As the environment has them when the program asks first. Throws Error{Input}.
std::uint64_t limit(Limit which);

} // namespace attn
