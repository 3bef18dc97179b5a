// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"
#include "readings/head_reading.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// Change of an output's distribution when the attention weights that it was made with are others. Changes are total
// variation distances, from 0 to 1.
struct OtherWeights
{
    int place = 0; // of the output
    double largest = 0; // weight that is replaced, the mean of heads
    double uniform = 0; // change by equal weights
    bool uniformKeeps = false; // the most probable stays so
    std::vector<double> shuffled; // changes by the weights in random orders, rising
    double keeping = 0; // share of these orders that leave the most probable as it is
    double divergence = 0; // Jensen-Shannon divergence of the most different weights found, 0 to ln 2, mean of heads
    double adversarial = 0; // change by them
    std::vector<float> weights = {}; // as the model has them, the mean of heads; of one row
    std::vector<float> others = {}; // the most different ones

    double medianShuffled() const { return shuffled.empty() ? 0 : shuffled[shuffled.size() / 2]; }
};

struct OtherWeightsResult
{
    std::optional<Trace> run; // none: it has not run yet
    Site site; // whose rows and columns the weights are
    std::vector<OtherWeights> outputs; // one after the other; without those that see only one key
    bool wholeMap = false; // the answer is about the whole text, and rows change together
    int count = 0; // of all
};

// Does attention explain? A run's attention weights are replaced through edits, output by output: by equal weights, by
// the same weights in random orders, and by the most different ones that can be found while the output's distribution
// changes by no more than a little (Jain and Wallace 2019, "Attention is not Explanation"; but see Wiegreffe and Pinter
// 2019). These are looked for among orders, and between the weights and all weight on a single key.
class OtherWeightsExperiment
{
public:
    struct Plan
    {
        Question question;
        Site site = {}; // whose weights are replaced
        std::optional<int> head = {}; // none: all of the site
        bool allLayers = false; // of the site's attention
        double most = 0.05; // change of the distribution that counts as none
        int orders = 20; // random ones
    };

    explicit OtherWeightsExperiment(Plan plan);

    // The run, then a place of the output a piece. Throws what answer() throws, and Error{Input} for a model without
    // such an attention or without an output.
    bool advance(const Workbench& bench);
    const OtherWeightsResult& result() const { return m_result; }

private:
    struct Work; // on the run

    void begin(const Workbench& bench);
    OtherWeights replace(int place, const Workbench& bench) const;

    Plan m_plan;
    std::shared_ptr<Work> m_work; // null: the run has not been made
    int m_next = 0; // place
    OtherWeightsResult m_result;
};

} // namespace attn
