// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace attn {

// What a decoder scored before, for intra-temporal attention (Paulus et al. 2017, equation 3): of each live hypothesis
// and key the sum of exp(score) over the steps so far.
class ScoreHistory
{
public:
    // scores: [hypotheses, keys]. From the second step on the logarithms of the sums are taken off, so that the softmax
    // is one of exp(score) / sum; then the scores as they came join the sums.
    void discount(std::span<float> scores);
    // Hypothesis i becomes what parents[i] was.
    void reorder(std::span<const int> parents, int keys);

private:
    std::vector<double> m_logSums; // [hypotheses, keys]; empty before the first step
};

} // namespace attn
