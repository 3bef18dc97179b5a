// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/study.h"

#include "question/question.h"
#include "state/model_summary.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace attn::ui {

void Study::setModel(ModelSummary model)
{
    m_opened = model.path;
    m_model = std::make_shared<const ModelSummary>(std::move(model));
    Q_EMIT modelChanged();
}

void Study::setArchive(const QString& path)
{
    m_opened = path;
    m_model.reset();
    Q_EMIT modelChanged();
}

bool Study::predicts() const
{
    if (kind() != ModelKind::EncoderOnly)
        return !m_model || m_model->info.predictsTokens || m_model->info.task != TaskHead::None;
    return m_model ? m_model->info.predictsMasked || m_model->info.task != TaskHead::None
                   : !trace().predictions().empty() || trace().classification() != nullptr
            || trace().tokenPredictions() != nullptr;
}

void Study::setRecent(const QStringList& recent)
{
    if (std::exchange(m_recent, recent) != recent)
        Q_EMIT recentChanged();
}

void Study::setEdited(Question question)
{
    if (question == m_edited)
        return;
    m_edited = std::move(question);
    Q_EMIT questionChanged();
}

Question Study::fresh(Question next) const
{
    const Question& now = m_edited;
    if (next.text != now.text && next.sourceIds == now.sourceIds) { // the text counts
        next.sourceIds.reset();
        next.sourceSegments.clear();
    }
    if (next.targetText && next.targetText != now.targetText && next.targetIds == now.targetIds)
        next.targetIds.reset();
    if (sameSentence(next, now))
        return next;
    const bool returns = asked() && sameSentence(next, *asked());
    const Question& own = returns ? *asked() : Question();
    if (next.prefixText == now.prefixText && next.prefixIds == now.prefixIds) {
        next.prefixText = own.prefixText;
        next.prefixIds = own.prefixIds;
    }
    if (next.edits == now.edits)
        next.edits = own.edits;
    return next;
}

Question Study::question(int generate) const
{
    Question question = m_edited;
    question.decoding.generate = generate;
    if (question.targetText && question.targetText->empty())
        question.targetText.reset();
    return question;
}

Question Study::questionToModel() const
{
    Question asked = question();
    asked.model = m_model ? m_model->path.toStdString() : std::string();
    return asked;
}

Age Study::age() const
{
    if (!m_model || !asked())
        return Age::Current;
    const Question then = effectiveQuestion(*asked(), *m_model);
    const Question now = effectiveQuestion(question(asked()->decoding.generate), *m_model);
    if (then.text != now.text || then.secondText != now.secondText || then.image != now.image
        || then.audio != now.audio)
        return Age::OlderThanText;
    return then == now ? Age::Current : Age::OlderThanChoices;
}

int Study::written() const
{
    if (!m_model || trace().kind() != ModelKind::DecoderOnly || m_edited.model != m_opened.toStdString()
        || trace().provenance().text != m_edited.text)
        return 0;
    return std::max(0, static_cast<int>(trace().path().size() + 1) - static_cast<int>(trace().source().size()));
}

bool Study::ended() const
{
    const auto& summary = trace().summary();
    return written() > 0 && summary && !summary->hypotheses.empty() && summary->hypotheses.front().ended;
}

// Ends what grew.
void Study::settle()
{
    const auto growing = std::exchange(m_growing, std::nullopt);
    const auto before = std::exchange(m_before, std::nullopt);
    Run* const run = m_runs.find(growing);
    if (run == nullptr)
        return;
    if (before && !run->finished()) {
        run->trace = *before;
        if (growing == m_shown)
            put(*before);
    }
    changed();
}

void Study::begin(const std::optional<Question>& question)
{
    settle();
    m_going = question;
    Q_EMIT runBegan();
}

void Study::replaceTrace(Trace trace, bool running)
{
    Run run;
    run.question = m_going;
    run.trace = trace;
    run.model = m_model;
    run.opened = m_opened;
    auto [same, parent] = m_runs.placeOf(run, m_shown);
    if (m_trying) {
        parent = parent ? parent : same;
        same = m_tried;
    }
    m_before.reset();
    if (!m_going || !m_asked || !sameSentence(*m_going, *m_asked))
        compareAgainst({});
    tellReplaced(m_going);
    if (Run* const again = m_runs.find(same)) {
        if (again->finished() && !m_trying)
            m_before = again->trace;
        m_withoutHeads.erase(again->id);
        again->question = run.question;
        again->trace = std::move(run.trace);
        again->archive.reset();
        again->model = run.model;
        again->opened = run.opened;
        m_growing = again->id;
    } else {
        run.parent = parent;
        m_growing = m_runs.add(std::move(run));
    }
    if (m_trying)
        m_tried = m_growing;
    m_asked = m_going;
    setShown(m_growing);
    m_dropped += m_runs.removeOldest(m_shown, m_against);
    if (running)
        setRunning(true);
    put(std::move(trace));
    setRunning(running);
    if (!running)
        m_growing.reset();
    changed();
}

void Study::growTrace(Trace trace, bool running)
{
    if (!m_growing)
        m_growing = m_shown;
    Run* const run = m_runs.find(m_growing);
    if (run == nullptr)
        return;
    run->trace = trace;
    if (m_growing == m_shown) {
        if (running)
            setRunning(true);
        put(std::move(trace));
        setRunning(running);
    }
    ++m_changes;
    if (!running) {
        m_growing.reset();
        changed();
    }
}

void Study::put(Trace trace)
{
    m_trace = std::move(trace);
    ++m_revision;
    Q_EMIT traceChanged();
}

void Study::clearTrace()
{
    showNothing();
}

void Study::beginTrying()
{
    m_trying = true;
    m_tried.reset();
}

void Study::endTrying()
{
    m_tried.reset();
    if (std::exchange(m_trying, false))
        Q_EMIT tried();
}

void Study::tellReplaced(const std::optional<Question>& question)
{
    m_onlyEditsDiffer = question && m_asked;
    if (m_onlyEditsDiffer) {
        Question unedited = *question;
        unedited.edits = m_asked->edits;
        m_onlyEditsDiffer = unedited == *m_asked;
    }
    Q_EMIT traceReplaced();
    m_onlyEditsDiffer = false;
}

void Study::showNothing()
{
    tellReplaced({});
    m_asked.reset();
    setShown({});
    put({});
    setRunning(false);
}

void Study::setShown(std::optional<int> run)
{
    if (m_shown == run)
        return;
    if (m_shown && !m_walking) {
        m_earlier.push_back(*m_shown);
        m_later.clear();
    }
    m_shown = run;
    Q_EMIT shownRunChanged();
}

void Study::changed()
{
    ++m_changes;
    Q_EMIT runsChanged();
    Q_EMIT fileChanged();
}

void Study::end()
{
    settle();
    setRunning(false);
    m_going.reset();
    Q_EMIT runEnded();
}

void Study::setRunning(bool running)
{
    if (std::exchange(m_runCommands, running) != running)
        Q_EMIT runningChanged(running);
}

} // namespace attn::ui
