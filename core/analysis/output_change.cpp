// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/output_change.h"

#include <Eigen/Core>

#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

namespace {

// Log of the sum of exp(logits); NaN where one of them is no number, or infinite.
double logOfSum(std::span<const float> logits)
{
    const Eigen::Map<const Eigen::ArrayXf> values(logits.data(), std::ssize(logits));
    const float largest = values.maxCoeff();
    if (values.hasNaN() || !std::isfinite(largest))
        return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(largest) + std::log((values - largest).exp().cast<double>().sum());
}

} // namespace

OutputDistributions::OutputDistributions(NumberView logits, std::vector<int> tokens)
    : m_tokens(std::move(tokens))
    , m_logits(Numbers::of(logits.rowRange(0, indexSize(m_tokens))))
    , m_probabilities(m_logits)
{
    for (int place = 0; place < indexSize(m_tokens); ++place) {
        const double normalizer = m_normalizers.emplace_back(logOfSum(m_logits.row(place)));
        for (float& value : m_probabilities.row(place))
            value = static_cast<float>(std::exp(static_cast<double>(value) - normalizer));
    }
}

OutputChange OutputDistributions::changeTo(NumberView logits) const
{
    OutputChange change;
    for (int place = 0; place < indexSize(m_tokens); ++place) {
        const auto before = m_logits.row(place);
        const auto after = logits.row(place);
        const auto probabilities = m_probabilities.row(place);
        const double shift = logOfSum(after) - m_normalizers[place];
        double sum = 0;
        for (std::size_t i = 0; i < probabilities.size(); ++i) {
            if (probabilities[i] != 0)
                sum += static_cast<double>(probabilities[i])
                    * (static_cast<double>(before[i]) - static_cast<double>(after[i]));
        }
        const double divergence = sum + shift;
        change.divergence += divergence < 0 ? 0 : divergence; // rounding; a NaN stays
        const int token = m_tokens[place];
        change.logProbability += static_cast<double>(after[token]) - static_cast<double>(before[token]) - shift;
        ++change.places;
    }
    return change;
}

} // namespace attn
