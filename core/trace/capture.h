// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

// What a run reports besides tokens and attention weights. What is not asked for is not computed or copied.
struct Capture
{
    bool attention = true;
    bool scores = false; // scores before the softmax, beside the weights
    bool hidden = false; // hidden states
    bool logits = false; // one row of logits per decoding step

    friend bool operator==(const Capture&, const Capture&) = default;
};

} // namespace attn
