// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"
#include "trace/attention_axis.h"
#include "trace/site.h"

namespace attn {

// All heads of one site.
struct AttentionMap
{
    Site site;
    Index firstRow = 0;
    Numbers weights; // [heads, rows, columns]
    Numbers scores; // of the same shape; empty unless captured
    AttentionAxis rowAxis = AttentionAxis::Tokens;
    AttentionAxis columnAxis = AttentionAxis::Tokens;
};

} // namespace attn
