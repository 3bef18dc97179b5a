// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/classification.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

int Classification::best() const
{
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
}

Classification classification(std::vector<std::string> labels, std::span<const float> logits)
{
    Classification result{std::move(labels), {logits.begin(), logits.end()}, {}};
    const auto largest = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> exponents;
    double sum = 0;
    for (const float logit : logits)
        sum += exponents.emplace_back(std::exp(static_cast<double>(logit) - largest));
    for (const double exponent : exponents)
        result.probabilities.push_back(static_cast<float>(exponent / sum));
    return result;
}

} // namespace attn
