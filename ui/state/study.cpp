// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/study.h"

#include "state/effective_question.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t mostKept = 16; // earlier runs
constexpr double mostWeights = 16e6; // attention weights of them together, 64 MB

double weightsOf(const Run& run)
{
    const auto length = static_cast<double>(run.trace.source().size()) + run.trace.stepCount();
    double weights = 0;
    for (const Site& site : run.trace.sites())
        weights += run.trace.heads(site) * length * length;
    return weights;
}

} // namespace

void Study::setModel(ModelSummary model)
{
    m_opened = model.path;
    m_model = std::move(model);
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
        return true;
    return m_model ? m_model->info.predictsMasked || !m_model->info.labels.empty()
                   : !trace().predictions().empty() || trace().classification() != nullptr;
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
    if (then.text != now.text || then.secondText != now.secondText)
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

void Study::begin(const std::optional<Question>& question)
{
    m_going = question;
    Q_EMIT runBegan();
}

void Study::replaceTrace(Trace trace, bool running)
{
    showInstead({m_going, std::move(trace)}, running);
}

void Study::clearTrace()
{
    showInstead({}, false);
}

void Study::showInstead(Run run, bool running)
{
    Q_EMIT traceReplaced();
    if (m_shown.trace.source().size() > 0)
        m_earlier.push_back(m_shown);
    const auto weights = [this] {
        return std::transform_reduce(m_earlier.begin(), m_earlier.end(), 0.0, std::plus(), weightsOf);
    };
    while (m_earlier.size() > mostKept || (!m_earlier.empty() && weights() > mostWeights))
        m_earlier.pop_front();
    m_shown.question = std::move(run.question);
    growTrace(std::move(run.trace), running);
}

void Study::growTrace(Trace trace, bool running)
{
    if (running)
        setRunning(true);
    m_shown.trace = std::move(trace);
    ++m_revision;
    Q_EMIT traceChanged();
    setRunning(running);
}

void Study::end()
{
    setRunning(false);
    m_going.reset();
    Q_EMIT runEnded();
}

void Study::setRunning(bool running)
{
    if (std::exchange(m_running, running) != running)
        Q_EMIT runningChanged(running);
}

} // namespace attn::ui
