// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/byte_spelling.h"
#include "text/unicode/aligned_text.h"

namespace attn {

// A text in GPT-2's spelling of its bytes.
AlignedText toByteLevel(const AlignedText& text);

} // namespace attn
