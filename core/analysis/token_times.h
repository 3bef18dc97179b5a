// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "trace/trace.h"

#include <optional>
#include <utility>
#include <vector>

namespace attn {

// Settings of how the times of tokens are found.
struct TokenTiming
{
    std::vector<std::pair<Site, int>> heads; // of cross attention
    int medianWidth = 1; // odd, of the filter in time
    Index prompt = 0; // tokens at the head of the output that have no time
    Index columns = 0; // of the source that hold sound, at least one
    double columnSeconds = 0;
};

// Span of each output token in a sound: dynamic time warping over cross attention, as in OpenAI's whisper
// (resources/documentation/formats.md section 4). NaN for the prompt; empty where the run kept no attention.
std::vector<TimeSpan> tokenTimes(const Trace& trace, const TokenTiming& timing, std::optional<StepId> leaf = {});

} // namespace attn
