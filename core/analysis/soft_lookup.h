// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace attn {

// A row of a key-value table.
struct LookupEntry
{
    std::vector<float> key;
    float value = 0;
};

// Attention as a lookup: every value answers, as much as its key fits the query.
struct SoftLookup
{
    std::vector<float> scores; // sharpness * query . key
    std::vector<float> weights; // softmax of the scores
    float result = 0; // sum of weight * value
};

// The first entry whose key is the query; none: an ordinary table has no answer.
std::optional<std::size_t> exactLookup(std::span<const float> query, std::span<const LookupEntry> table);

// Sharpness 1/sqrt(d) is scaled dot-product attention; the larger it is, the harder the lookup. All keys are as wide as
// the query. An empty table gives nothing and 0.
SoftLookup softLookup(std::span<const float> query, std::span<const LookupEntry> table, float sharpness);

} // namespace attn
