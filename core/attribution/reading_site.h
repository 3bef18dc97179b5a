// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/reading_method.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// All of a model with encoder-decoder attention, whether or not it has the readings: of heads and layers, layer by
// layer, then those of the whole model.
std::vector<ReadingSite> readingSites(const ModelInfo& info);

// [rows, columns] of the site among readings of all positions, negative values as 0; none: they do not have its array.
std::optional<Numbers> matrixOf(const ReadingSite& site, const ReadingResults& results);

} // namespace attn
