// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace attn {

// What the end of a zip archive says about its directory.
struct ClaimedDirectory
{
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
};

// Of all the records that may be taken for the archive's last one, together: which of them is, says only the directory.
// size: of the archive; read: fills `part` with the bytes from `position` on.
ClaimedDirectory claimedDirectory(std::uint64_t size, const std::string& where,
                                  const std::function<void(std::uint64_t position, std::span<std::byte> part)>& read);

} // namespace attn
