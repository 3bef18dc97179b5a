// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"
#include "session/session.h"
#include "state/model_summary.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

// A run: what was asked, what came of it, and what is open when it is on show. Its `change` is the name that it was
// given; empty: it is named by what differs from its parent.
struct Run : SessionRun
{
    std::shared_ptr<const ModelSummary> model; // null: an archive, or a model that is not there
    QString opened; // as Study::opened()

    bool finished() const { return trace.summary().has_value(); }
};

// Differences between what `run` and `before` were asked, as far as it makes a difference to their models; none where
// one of them was not asked at all.
std::optional<QuestionDifference> difference(const Run& before, const Run& run);

// The runs of a study, each below the one that it came from, in the order in which they were made.
class RunTree
{
public:
    // Most runs without a name, a note or a file that they were read from; the oldest go first.
    static constexpr std::size_t mostRuns = 100;
    static constexpr double mostBytes = 256e6; // estimated

    const std::vector<Run>& runs() const { return m_runs; }
    const Run* find(std::optional<int> id) const; // null: there is none
    Run* find(std::optional<int> id);
    std::vector<int> children(std::optional<int> parent) const; // of none: where something began

    // Where a run belongs that was asked while `from` was on show: in the place of one that was asked the same, or of
    // one that it continues; otherwise below the furthest ancestor of `from`, or `from` itself, from which no more
    // differs than from those in between, each token counted that it was made to begin with and the other did not
    // produce. What was only drawn with another seed stands beside the other, unless that has no parent.
    struct Place
    {
        std::optional<int> same = {};
        std::optional<int> parent = {};
    };
    Place placeOf(const Run& run, std::optional<int> from) const;

    int add(Run run); // gives it its id
    void remove(int id); // what came from it comes from its parent then
    // Takes runs away while there are too many, but none of these two; returns how many.
    int removeOldest(std::optional<int> shown, std::optional<int> against);
    void replace(std::vector<Run> runs);

private:
    std::vector<Run> m_runs;
};

} // namespace attn::ui
