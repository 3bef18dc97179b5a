// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/uncertain_step.h"

#include "base/index.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

double entropy(const std::vector<Candidate>& candidates)
{
    const auto part = [](double probability) { return probability > 0 ? -probability * std::log(probability) : 0.0; };
    double sum = 0;
    double rest = 1;
    for (const Candidate& candidate : candidates) {
        const double probability = std::exp(double{candidate.logProbability});
        sum += part(probability);
        rest -= probability;
    }
    if (!std::isfinite(rest)) // as one of the probabilities is
        return std::numeric_limits<double>::quiet_NaN();
    return candidates.empty() ? 0 : sum + part(rest);
}

} // namespace

int mostUncertainStep(const Trace::Path& path)
{
    int best = 0;
    double most = 0;
    for (Index i = 0; i < indexSize(path); ++i) {
        const double value = entropy(path[i]->step.candidates);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

} // namespace attn
