// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/soft_lookup.h"

#include "analysis/score_samples.h"

#include <algorithm>
#include <numeric>

namespace attn {

std::optional<std::size_t> exactLookup(std::span<const float> query, std::span<const LookupEntry> table)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::ranges::equal(table[i].key, query))
            return i;
    }
    return std::nullopt;
}

SoftLookup softLookup(std::span<const float> query, std::span<const LookupEntry> table, float sharpness)
{
    SoftLookup lookup;
    for (const LookupEntry& entry : table)
        lookup.scores.push_back(sharpness * std::inner_product(query.begin(), query.end(), entry.key.begin(), 0.0F));
    lookup.weights = softmax(lookup.scores);
    for (std::size_t i = 0; i < table.size(); ++i)
        lookup.result += lookup.weights[i] * table[i].value;
    return lookup;
}

} // namespace attn
