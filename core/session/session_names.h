// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

inline constexpr auto sessionFormat = "attnscope-session";
inline constexpr int sessionVersion = 1;
inline constexpr auto sessionEntry = "session.json"; // of the zip archive
inline constexpr std::uint64_t largestDescription = std::uint64_t{64} << 20U; // bytes of that

} // namespace attn
