// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/explained_run.h"
#include "run/job_runner.h"
#include "state/run_tree.h"

#include <memory>
#include <optional>
#include <string>

namespace attn::ui {

// A finished run of a study with what made it, for readings of it on the inference thread.
struct RunToExplain
{
    int id = 0;
    Trace trace;
    Question question;
    std::shared_ptr<const ModelSummary> model;
};

// None: there is no such run, it goes on, it was read from an archive, or its model is not there.
std::optional<RunToExplain> runToExplain(const Run* run);

// On the inference thread, in a JobRunner's work: the run with its model, which is loaded where it is not. All later
// pieces of the work may use it; it stops with the job. Throws Error{File} where the model's files have changed since,
// and what ExplainedRun throws. baseline: special token of the source in place of that of the options, by its name.
std::shared_ptr<ExplainedRun> explain(const RunToExplain& run, ReadingOptions options, JobTools& tools,
                                      const std::string& baseline = {});

} // namespace attn::ui
