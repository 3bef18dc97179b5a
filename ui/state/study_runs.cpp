// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A study's work with the runs that were made.
#include "state/run_words.h"
#include "state/study.h"
#include "trace/site.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

// Whether a model can have made a trace that was read from a file.
bool fits(const Trace& trace, const ModelInfo& info)
{
    const std::vector<Site> sites = trace.sites();
    return trace.kind() == info.kind && std::all_of(sites.begin(), sites.end(), [&](const Site& site) {
               return trace.heads(site) == info.heads(site);
           });
}

} // namespace

void Study::show(int id)
{
    const Run* const found = m_runs.find(id);
    if (found == nullptr || m_shown == id)
        return;
    const Run run = *found;
    openWhatMade(run);
    tellReplaced(run.question);
    m_asked = run.question;
    setShown(id);
    const bool grows = m_growing == id;
    if (grows)
        setRunning(true);
    put(run.trace);
    setRunning(grows);
}

std::optional<int> Study::last(const std::vector<int>& seen) const
{
    const auto found = std::find_if(seen.rbegin(), seen.rend(),
                                    [this](int run) { return run != m_shown && m_runs.find(run) != nullptr; });
    return found == seen.rend() ? std::nullopt : std::optional(*found);
}

void Study::walk(std::vector<int>& from, std::vector<int>& to)
{
    const auto run = last(from);
    if (!run)
        return;
    while (from.back() != *run) // they are gone
        from.pop_back();
    from.pop_back();
    if (m_shown)
        to.push_back(*m_shown);
    const QScopedValueRollback walking(m_walking, true);
    show(*run);
}

bool Study::branches() const
{
    const Run* const run = m_runs.find(m_shown);
    return m_model && kind() != ModelKind::EncoderOnly && run != nullptr && run->question;
}

// Before its trace is on show, as it is with a run that is asked.
void Study::openWhatMade(const Run& run)
{
    if (run.opened != m_opened || (run.model == nullptr) != (m_model == nullptr) || differ(run.model, m_model)) {
        m_model = run.model;
        m_opened = run.opened;
        Q_EMIT modelChanged();
    }
    Question next = run.question && run.model ? *run.question : m_edited;
    next.model = run.opened.toStdString();
    next.decoding.generate = m_edited.decoding.generate; // how far a text is continued at once
    next.capture = m_edited.capture;
    setEdited(std::move(next));
}

void Study::compareAgainst(std::optional<int> run)
{
    if (run && m_runs.find(run) == nullptr)
        return;
    if (std::exchange(m_against, run) != run)
        Q_EMIT shownRunChanged();
}

const Run* Study::compared() const
{
    return m_against == m_shown ? nullptr : m_runs.find(m_against);
}

OutputScore Study::outputUnder(int run, int other) const
{
    const auto found = m_outputs.find({run, other});
    return found == m_outputs.end() ? OutputScore() : found->second;
}

void Study::setOutputUnder(int run, int other, OutputScore score)
{
    m_outputs[{run, other}] = std::move(score);
    Q_EMIT outputScored();
}

std::shared_ptr<const HeadChanges> Study::withoutHeads() const
{
    const auto found = m_withoutHeads.find(m_shown.value_or(-1));
    return found == m_withoutHeads.end() ? nullptr : found->second;
}

void Study::setWithoutHeads(int run, HeadChanges changes)
{
    m_withoutHeads[run] = std::make_shared<const HeadChanges>(std::move(changes));
    Q_EMIT headsSwept();
}

void Study::addReadings(int id, const KeptReadings& readings)
{
    Run* const run = m_runs.find(id);
    if (run == nullptr)
        return;
    auto all = run->trace.readings() ? KeptReadings(*run->trace.readings()) : KeptReadings();
    all.add(readings);
    run->trace = run->trace.with(std::make_shared<const KeptReadings>(std::move(all)));
    if (!readings.arrays.empty())
        run->archive.reset(); // which is without them
    if (id == m_shown) {
        m_trace = run->trace;
        m_revision += readings.arrays.empty() ? 0 : 1;
    }
    Q_EMIT readingsChanged();
}

void Study::wantReadings(const std::string& method, bool wanted)
{
    if (wanted)
        m_wantedReadings.insert(method);
    else if (const auto found = m_wantedReadings.find(method); found != m_wantedReadings.end())
        m_wantedReadings.erase(found);
    Q_EMIT readingsWanted();
}

void Study::setComputesReadings(bool computes)
{
    if (std::exchange(m_computesReadings, computes) != computes)
        Q_EMIT readingsChanged();
}

void Study::setGold(std::shared_ptr<const GoldTexts> gold)
{
    m_gold = std::move(gold);
    Q_EMIT goldChanged();
}

void Study::rename(int id, const QString& name)
{
    Run* const run = m_runs.find(id);
    if (run == nullptr || name == runName(m_runs, *run))
        return;
    if (std::string change = name.trimmed().toStdString(); std::exchange(run->change, change) != change)
        changed();
}

void Study::annotate(int id, const QString& note)
{
    Run* const run = m_runs.find(id);
    if (run != nullptr && std::exchange(run->note, note.trimmed().toStdString()) != run->note)
        changed();
}

void Study::remove(int id)
{
    const Run* const run = m_runs.find(id);
    if (run == nullptr || m_growing == id)
        return;
    std::optional<int> next = run->parent;
    for (const int sibling : m_runs.children(run->parent)) {
        if (!next && sibling != id)
            next = sibling;
    }
    if (const auto below = m_runs.children(id); !next && !below.empty())
        next = below.front();
    if (m_against == id)
        compareAgainst({});
    const bool wasShown = m_shown == id;
    m_runs.remove(id);
    std::erase_if(m_outputs, [id](const auto& entry) { return entry.first.first == id || entry.first.second == id; });
    m_withoutHeads.erase(id);
    changed();
    if (wasShown && next)
        show(*next);
    else if (wasShown)
        showNothing();
}

Session Study::session() const
{
    Session session = m_read;
    session.runs.clear();
    const Run* known = m_model ? m_runs.find(m_shown) : nullptr;
    for (const Run& run : m_runs.runs()) {
        session.runs.push_back(run);
        session.runs.back().change = runName(m_runs, run).toStdString();
        if (known == nullptr && run.model)
            known = &run;
    }
    std::erase_if(session.inputs, [&session](const auto& input) {
        return std::ranges::none_of(session.runs, [&input](const SessionRun& run) {
            return run.question && (run.question->image == input.first || run.question->audio == input.first);
        });
    });
    if (known != nullptr && known->model) {
        const ModelSummary& model = *known->model;
        const bool another = session.model.path != model.path.toStdString();
        session.model.name = model.name.toStdString();
        session.model.path = model.path.toStdString();
        session.model.kind = kindText(model.info.kind);
        if (another)
            session.model.weightsSha256.clear();
    }
    session.shown.run = m_shown;
    session.shown.against = m_against;
    return session;
}

void Study::keepInput(const std::string& path, SessionInput file)
{
    m_read.inputs.insert_or_assign(path, std::move(file));
}

void Study::restore(Session session, const QString& file, const QString& opened)
{
    std::vector<Run> runs;
    for (SessionRun& read : session.runs) {
        Run run{std::move(read), nullptr, opened};
        if (run.question && run.question->model.empty())
            run.question->model = session.model.path;
        runs.push_back(std::move(run));
    }
    session.runs.clear();
    ++m_sessions;
    m_runs.replace(std::move(runs));
    m_dropped = 0;
    m_outputs.clear();
    m_withoutHeads.clear();
    m_growing.reset();
    m_before.reset();
    endTrying();
    m_read = std::move(session);
    m_file = file;
    m_shown.reset();
    m_earlier.clear();
    m_later.clear();
    m_against = m_read.shown.against;
    Q_EMIT runsChanged(); // before one of them is on show: what was open of those before is none of theirs
    const bool none = m_runs.runs().empty();
    if (none) {
        setArchive(opened);
        showNothing();
    } else {
        show(m_read.shown.run.value_or(m_runs.runs().front().id));
    }
    changed();
    m_saved = file.isEmpty() ? m_changes - 1 : m_changes;
    Q_EMIT shownRunChanged();
    Q_EMIT fileChanged();
}

void Study::setModelOfRuns(const ModelSummary& model)
{
    const auto shared = std::make_shared<const ModelSummary>(model);
    std::vector<int> made;
    for (const Run& run : m_runs.runs()) {
        if (run.question && run.question->model == m_read.model.path && fits(run.trace, model.info))
            made.push_back(run.id);
    }
    for (const int id : made) {
        Run& run = *m_runs.find(id);
        run.model = shared;
        run.opened = model.path;
        run.question->model = model.path.toStdString();
    }
    if (const Run* const shown = m_runs.find(m_shown); shown != nullptr && shown->model == shared) {
        openWhatMade(*shown);
        m_asked = shown->question;
        put(m_trace);
    }
    Q_EMIT runsChanged();
}

void Study::setSaved(const QString& file, quint64 changes)
{
    m_file = file;
    m_saved = changes;
    Q_EMIT fileChanged();
}

} // namespace attn::ui
