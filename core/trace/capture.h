// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/site.h"

#include <optional>

namespace attn {

// One row of one head's attention.
struct CellAddress
{
    Site site;
    int head = 0;
    int row = 0; // position of the query, counted as in AttentionBlock
    int hypothesis = 0;

    friend bool operator==(const CellAddress&, const CellAddress&) = default;
};

// Reports of a run besides tokens and attention weights. Those not asked for are neither computed nor copied.
struct Capture
{
    bool attention = true;
    bool scores = false; // scores before the softmax, beside the weights
    bool hidden = false; // hidden states
    bool logits = false; // one row of logits per decoding step
    std::optional<CellAddress> inside = std::nullopt; // how this row comes about, stage by stage

    friend bool operator==(const Capture&, const Capture&) = default;
};

} // namespace attn
