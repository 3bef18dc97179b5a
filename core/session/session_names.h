// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

inline constexpr auto sessionFormat = "attnscope-session";
inline constexpr int sessionVersion = 1;
inline constexpr auto sessionEntry = "session.json"; // of the zip archive

} // namespace attn
