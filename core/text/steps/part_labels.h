// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

namespace attn {

// Labels tokens that hold only part of a character, by their spans: three tokens that spell "日" become "日[1/3]",
// "日[2/3]" and "日[3/3]". Labels of other tokens stay. Requires labels and spans.
void labelParts(Encoding& encoding);

} // namespace attn
