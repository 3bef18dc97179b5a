// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/subword_model.h"

#include <charconv>
#include <fmt/format.h>

namespace attn {

std::string bytePiece(unsigned char byte)
{
    return fmt::format("<0x{:02X}>", byte);
}

int byteOfPiece(std::string_view piece)
{
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
        return -1;
    int byte = -1;
    const char* const end = piece.data() + 5;
    const auto [read, error] = std::from_chars(piece.data() + 3, end, byte, 16);
    return error == std::errc{} && read == end && byte >= 0 ? byte : -1;
}

} // namespace attn
