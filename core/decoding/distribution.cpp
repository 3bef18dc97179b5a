// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/distribution.h"

#include "base/error.h"
#include "base/index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

std::vector<float> logSoftmax(std::span<const float> logits)
{
    const float largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(double{logit - largest});
    const double shift = largest + std::log(sum);
    if (!std::isfinite(shift)) // a NaN anywhere ends up in the sum
        throw Error(ErrorKind::Resource, "logits", "are not finite numbers",
                    "the weights of this model may be damaged");
    std::vector<float> result(logits.size());
    std::ranges::transform(logits, result.begin(), [shift](float logit) { return static_cast<float>(logit - shift); });
    return result;
}

void removeTokens(std::vector<float>& logProbabilities, std::span<const TokenId> tokens)
{
    for (const TokenId token : tokens) {
        if (token >= 0 && token < indexSize(logProbabilities))
            logProbabilities[token] = -std::numeric_limits<float>::infinity();
    }
}

void keepOnly(std::vector<float>& logProbabilities, TokenId token)
{
    const float value = logProbabilities.at(token);
    std::ranges::fill(logProbabilities, -std::numeric_limits<float>::infinity());
    logProbabilities[token] = value;
}

std::vector<Candidate> mostProbable(std::span<const float> logProbabilities, int count)
{
    std::vector<TokenId> order(logProbabilities.size());
    std::iota(order.begin(), order.end(), 0);
    const Index wanted = std::clamp(count, 0, indexSize(order));
    const auto better = [&](TokenId a, TokenId b) {
        const float x = logProbabilities[a];
        const float y = logProbabilities[b];
        return x != y ? x > y : a < b;
    };
    std::ranges::partial_sort(order, order.begin() + wanted, better);
    std::vector<Candidate> result;
    for (Index i = 0; i < wanted; ++i) {
        const float value = logProbabilities[order[i]];
        if (std::isfinite(value))
            result.push_back({order[i], value});
    }
    return result;
}

} // namespace attn
