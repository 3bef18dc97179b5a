// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace attn {

// How probable an output is, natural logarithms.
struct OutputScore
{
    // One per step of the output's path; NaN for a prompt that was continued, and for all where the model has other
    // tokens. Empty: it is not known.
    std::vector<double> tokens;
    double sum = 0; // of the output, NaN where it is not known
};

} // namespace attn
