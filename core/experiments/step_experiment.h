// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/experiment.h"
#include "trace/stage.h"

namespace attn {

// Stages of one row of attention of a run that was made already: the same tokens are read and, where the
// model writes, written once more, and the stages of the row are reported.
class StepExperiment
{
public:
    // The question that the run answered, with the model that did; `leaf` is the hypothesis, none the best.
    StepExperiment(Question question, const Trace& run, std::optional<StepId> leaf, const CellAddress& cell);

    bool advance(const Workbench& bench);

    const CellStages& stages() const { return m_stages; } // empty: this row was not computed
    const Question& question() const { return m_question; }

private:
    Question m_question;
    CellStages m_stages;
};

// The row, or the next one that attends to anything.
int firstAttending(const Trace& trace, Site site, int row, std::optional<StepId> leaf = {});

// The head that gives a cell the largest weight.
int strongestHead(const Trace& trace, Site site, int row, int column, std::optional<StepId> leaf = {});

} // namespace attn
