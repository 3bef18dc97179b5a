// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/seen_file.h"

#include <QString>

#include <stop_token>
#include <vector>

namespace attn::ui {

// SHA-256 of these files' bytes, one file after the other, in hexadecimal digits; empty where one cannot be read or is
// not any more as it was seen. Throws Error{Cancelled}.
QString weightsSha256(const std::vector<SeenFile>& files, const std::stop_token& stop = {});

} // namespace attn::ui
