// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/language.h"
#include "loading/model_loader.h"
#include "run/model_store.h"
#include "state/model_summary.h"
#include "state/run_words.h"
#include "window/exporter.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

void takeModel(FigureOrigin& origin, const ModelSummary& model)
{
    origin.model = lastingModel(model.path.toStdString());
    origin.weightsSha256 = [files = model.weightFiles](const std::stop_token& stop) {
        return weightsSha256(files, stop);
    };
}

// The only edit that one question has and the other has not, both otherwise alike; none: there is no such one.
std::optional<std::string> oneMoreEdit(const Question& shown, Question other)
{
    if (other.edits.size() != shown.edits.size() + 1)
        return std::nullopt;
    std::string edit = std::exchange(other.edits.back(), {});
    other.edits.pop_back();
    return other == shown ? std::optional(std::move(edit)) : std::nullopt;
}

// Both runs are in the file that the study is saved in; false: they are not.
bool takeSession(FigureOrigin& origin, const Study& study, const Run& run, const Run* other)
{
    if (study.file().isEmpty() || study.unsaved())
        return false;
    origin.question.reset();
    if (!run.model)
        origin.weightsSha256 = [known = study.session().model.weightsSha256](const std::stop_token&) {
            return QString::fromStdString(known);
        };
    origin.model = lastingModel(study.file().toStdString());
    origin.run = run.id;
    if (other != nullptr) {
        origin.against = origin.model;
        origin.againstRun = other->id;
    }
    return true;
}

void takeAgainst(FigureOrigin& origin, const Study& study, const FigureSpec& spec, const Run& run)
{
    const Run* const other = study.compared();
    if (other == nullptr)
        return;
    const bool sameModel = run.model && run.model == other->model && run.question && other->question;
    const bool named = !run.change.empty() || !other->change.empty();
    if (sameModel && !named) {
        origin.againstEdit = oneMoreEdit(effectiveQuestion(*run.question, *run.model),
                                         effectiveQuestion(*other->question, *other->model));
    }
    if (origin.againstEdit)
        return;
    if (!spec.kind->drawsSite)
        origin.obstacle = translated("how each run's output looks to the other is known in the window only");
    else if (!takeSession(origin, study, run, other))
        origin.obstacle =
            translated("the run that it is compared with is in no file: save the session, and export again");
}

} // namespace

FigureOrigin runOrigin(const Study& study)
{
    FigureOrigin origin;
    const Run* const run = study.runs().find(study.shown());
    if (run == nullptr || !run->finished()) {
        if (run != nullptr && run->model)
            takeModel(origin, *run->model);
        origin.obstacle = translated("the run had not come to its end");
        return origin;
    }
    if (run->question && run->model) {
        takeModel(origin, *run->model);
        origin.question = effectiveQuestion(*run->question, *run->model);
    } else if (!run->question && !run->opened.isEmpty() && QFileInfo(run->opened).isFile()) {
        origin.model = lastingModel(run->opened.toStdString());
        if (isSessionPath(run->opened.toStdString()))
            origin.run = run->id;
    } else if (!takeSession(origin, study, *run, nullptr)) {
        origin.obstacle = translated("the run is in no file, and its model is not there: save the session first");
    }
    return origin;
}

FigureOrigin figureOrigin(const Study& study, const FigureSpec& spec)
{
    if (spec.kind->drawsPositions && study.model()) {
        FigureOrigin ofModel;
        takeModel(ofModel, *study.model());
        return ofModel;
    }
    FigureOrigin origin = runOrigin(study);
    if (spec.against && origin.obstacle.isEmpty())
        takeAgainst(origin, study, spec, *study.runs().find(study.shown()));
    return origin;
}

std::shared_ptr<const ReferenceRun> againstAsIn(const FigureOrigin& origin, const Study& study,
                                                std::shared_ptr<const ReferenceRun> against)
{
    const RunTree& runs = study.runs();
    const Run* const shown = runs.find(study.shown());
    const Run* const other = study.compared();
    if (!against || !origin.againstRun || shown == nullptr || other == nullptr)
        return against;
    ReferenceRun named = *against;
    named.shownName = runName(runs, *shown);
    named.name = runName(runs, *other);
    return std::make_shared<const ReferenceRun>(std::move(named));
}

} // namespace attn::ui
