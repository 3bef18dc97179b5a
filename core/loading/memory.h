// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace attn {

// Bytes that this process can still get without swapping, its control group's limit included; none known: a very large
// number.
std::uint64_t availableMemory();

// Throws Error{Resource} with both numbers when `needed` bytes are more than `available`.
void requireMemory(std::uint64_t needed, std::uint64_t available, const std::string& where);

// "15.2 MB", in powers of ten.
std::string byteText(std::uint64_t bytes);

} // namespace attn
