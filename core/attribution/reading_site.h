// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/reading_method.h"

#include <optional>
#include <string>
#include <string_view>

namespace attn {

// A matrix of output by source tokens that a reading makes of an encoder-decoder's run, as `align` addresses it.
struct ReadingSite
{
    std::string text; // "norms:2:5", "norms:2:sum", "value_zeroing:2", "rollout", "lrp", "input"
    const ReadingMethod* method = nullptr;
    std::string array;
    std::optional<int> layer = {}; // none: the last, or the array has no layers
    std::optional<int> head = {}; // none: the array has no heads
};

// None for a text that begins with no such name. Throws Error{Input} that names `where` for a layer or head that a
// model with so many does not have.
std::optional<ReadingSite> parseReadingSite(std::string_view text, const ModelInfo& info, const std::string& where);

// Names of the sites, for messages.
std::string readingSiteForms();

// [rows, columns] of the site, negative values as 0. `run` explains all positions. Throws Error{Input} with the reason
// where the model has no such reading.
Numbers readSite(ExplainedRun& run, const ReadingSite& site);

} // namespace attn
