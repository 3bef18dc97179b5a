// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_explainer.h"

#include "inference/answer.h"
#include "loading/special_ids.h"

#include <utility>

namespace attn::ui {

namespace {

struct LoadedRun
{
    LoadedRun(std::shared_ptr<const LoadedModel> loaded, const RunToExplain& run, const ReadingOptions& options,
              const JobTools& tools)
        : model(std::move(loaded))
        , trace(run.trace)
        , explained(*model, fitted(run.question, *model), trace, options, tools.engine, tools.stop)
    {
    }

    std::shared_ptr<const LoadedModel> model;
    Trace trace;
    ExplainedRun explained;
};

} // namespace

std::optional<RunToExplain> runToExplain(const Run* run)
{
    if (run == nullptr || !run->question || !run->model || !run->finished())
        return std::nullopt;
    return RunToExplain{run->id, run->trace, *run->question, run->model};
}

std::shared_ptr<ExplainedRun> explain(const RunToExplain& run, ReadingOptions options, JobTools& tools,
                                      const std::string& baseline)
{
    const auto model = tools.models.load(run.model->path.toStdString(), tools.engine, {}, tools.stop);
    if (model->files != run.model->files)
        throw Error(ErrorKind::File, run.model->path.toStdString(), "has changed since the run was made",
                    "open it again and repeat the run");
    if (const auto token = sourceIdNamed(*model, baseline))
        options.baseline = token;
    const auto inHand = std::make_shared<LoadedRun>(model, run, options, tools);
    return {inHand, &inHand->explained};
}

} // namespace attn::ui
