// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace attn {

// What a classifier says of a whole text.
struct Classification
{
    std::vector<std::string> labels;
    std::vector<float> logits; // one per label
    std::vector<float> probabilities; // their softmax

    int best() const; // index of the most probable label, the first of equals
};

// `logits`: one per label, at least one.
Classification classification(std::vector<std::string> labels, std::span<const float> logits);

} // namespace attn
