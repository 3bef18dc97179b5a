// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/distribution.h"

#include "base/error.h"

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
        sum += std::exp(static_cast<double>(logit - largest));
    const double shift = static_cast<double>(largest) + std::log(sum);
    if (!std::isfinite(shift)) // a NaN anywhere ends up in the sum
        throw Error(ErrorKind::Resource, "logits", "are not finite numbers",
                    "the weights of this model may be damaged");
    std::vector<float> result(logits.size());
    std::ranges::transform(logits, result.begin(),
                           [shift](float logit) { return static_cast<float>(static_cast<double>(logit) - shift); });
    return result;
}

void removeTokens(std::vector<float>& logProbabilities, std::span<const TokenId> tokens)
{
    for (const TokenId token : tokens) {
        if (token >= 0 && static_cast<std::size_t>(token) < logProbabilities.size())
            logProbabilities[static_cast<std::size_t>(token)] = -std::numeric_limits<float>::infinity();
    }
}

void keepOnly(std::vector<float>& logProbabilities, TokenId token)
{
    const auto kept = static_cast<std::size_t>(token);
    const float value = logProbabilities.at(kept);
    std::ranges::fill(logProbabilities, -std::numeric_limits<float>::infinity());
    logProbabilities[kept] = value;
}

std::vector<Candidate> mostProbable(std::span<const float> logProbabilities, int count)
{
    std::vector<TokenId> order(logProbabilities.size());
    std::iota(order.begin(), order.end(), 0);
    const auto wanted = std::min(order.size(), static_cast<std::size_t>(std::max(count, 0)));
    const auto better = [&](TokenId a, TokenId b) {
        const float x = logProbabilities[static_cast<std::size_t>(a)];
        const float y = logProbabilities[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    };
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(wanted), better);
    std::vector<Candidate> result;
    for (std::size_t i = 0; i < wanted; ++i) {
        const float value = logProbabilities[static_cast<std::size_t>(order[i])];
        if (std::isfinite(value))
            result.push_back({order[i], value});
    }
    return result;
}

} // namespace attn
