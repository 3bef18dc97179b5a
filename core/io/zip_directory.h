// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace attn {

// What the end of a zip archive says about its directory (APPNOTE.TXT 6.3.10, 4.3.14 to 4.3.16).
struct ZipDirectory
{
    static constexpr std::uint32_t endMark = 0x06054B50;
    static constexpr std::size_t endBytes = 22;
    static constexpr std::size_t longestComment = 65'535; // behind the end record
    static constexpr std::size_t locatorBytes = 20; // of a zip64 archive's end record, before the other
    static constexpr std::size_t wideEndBytes = 56;

    std::uint64_t entries = 0; // counted for this disk and for all: the larger number
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
};

// record: from its mark on.
ZipDirectory endRecord(std::span<const std::byte> record, const std::string& where);
// Where zip64's record lies; nothing when no locator ends `before`, what lies before the end record.
std::optional<std::uint64_t> wideEndOffset(std::span<const std::byte> before, const std::string& where);
// Nothing when it does not begin with its mark.
std::optional<ZipDirectory> wideEndRecord(std::span<const std::byte> record, const std::string& where);

struct ClaimedDirectory
{
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
};

// Of all the records that may be taken for the archive's last one, together: which of them is, says only the directory.
// size: of the archive; read: fills `part` with the bytes from `position` on. Throws Error{Format} for a file of
// another kind that has none.
ClaimedDirectory claimedDirectory(std::uint64_t size, const std::string& where,
                                  const std::function<void(std::uint64_t position, std::span<std::byte> part)>& read);

} // namespace attn
