// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// A caption by soft attention and by hard attention, where the patch with the largest weight gets all of it (Xu et al.
// 2015), either with all of the context in place of the gate's share, too. What differs from the model is made by
// edits, a word a piece, since what a word looks at depends on those before it.
class LookExperiment
{
public:
    struct Plan
    {
        Question question; // of a model whose words look at a picture with one head
        bool gated = true;

        friend bool operator==(const Plan&, const Plan&) = default;
    };

    explicit LookExperiment(Plan plan);

    // Throws Error{Unsupported} for another model, and what answer() throws.
    bool advance(const Workbench& bench);
    const Trace& soft() const { return m_runs[0]; }
    const Trace& hard() const { return m_runs[1]; }

private:
    bool isHard() const { return m_which == 1; }
    void editRow();

    Plan m_plan;
    int m_which = 0; // of the runs
    int m_row = 0; // that is edited next
    std::vector<std::string> m_edits; // so far
    std::array<Trace, 2> m_runs;
};

// The patches of a picture made grey one by one, until the caption is another one: those first that a word, or all
// words together, look at most.
class GreyExperiment
{
public:
    struct Plan
    {
        Question question;
        std::optional<int> word = {}; // none: all

        friend bool operator==(const Plan&, const Plan&) = default;
    };

    explicit GreyExperiment(Plan plan);

    bool advance(const Workbench& bench); // likewise
    // Runs with no patch, one, two, ... of them grey.
    const std::vector<Trace>& runs() const { return m_runs; }
    bool isOther() const; // the last caption

private:
    Plan m_plan;
    std::vector<int> m_order; // of patches
    std::vector<Trace> m_runs;
};

// The sum of each column's weights over the words.
std::vector<double> coverage(const Trace& trace);
// Mean over the patches of (1 - coverage)^2, which training may keep small (equation 14 of the paper).
double coverageLoss(const std::vector<double>& coverage);

} // namespace attn
