// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

// What a model reads and writes. Encoder-only: it reads a text. Decoder-only: it reads a text from left to right and
// can continue it. Encoder-decoder: it reads one text and writes another.
enum class ModelKind : std::uint8_t { EncoderDecoder, EncoderOnly, DecoderOnly };

} // namespace attn
