// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep.h"

#include "base/error.h"
#include "edits/edit.h"
#include "experiments/sentences.h"
#include "inference/forced_output.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

IndexSet only(int index)
{
    return IndexSet({{index, index}});
}

Edit headOff(Site site, int head)
{
    return AttentionEdit{
        .stage = site.stage, .layers = only(site.layer), .heads = only(head), .change = AttentionChange::Zero};
}

Edit tokenHidden(int position)
{
    return SourceEdit{.position = position, .change = SourceChange::Hide};
}

} // namespace

struct Sweep::Work
{
    ForcedOutput output;
    std::optional<OutputDistributions> before; // none: not computed yet
    int count = 0; // of what is taken away
    int next = 0;
};

Sweep::Sweep(Plan plan)
    : m_plan(std::move(plan))
{
    m_result.over = m_plan.over;
    if (m_plan.sentences)
        clearTexts(m_plan.question);
}

bool Sweep::advance(const Workbench& bench)
{
    if (!m_model)
        prepare(bench);
    else if (!m_work)
        runSentence(bench);
    else
        takeAway(bench);
    return m_next < m_result.count;
}

void Sweep::prepare(const Workbench& bench)
{
    bench.say({ExperimentProgress::Step::Loading, 0, m_plan.question.model});
    if (m_plan.sentences)
        m_sentences = std::make_shared<const std::vector<std::string>>(m_plan.sentences());
    m_result.count = m_sentences ? indexSize(*m_sentences) : 1;
    m_model = bench.load(m_plan.question.model);
    const ModelInfo& info = m_model->model->info();
    m_result.predicts = info.writes() || info.predictsMasked || info.task != TaskHead::None;
    if (m_plan.over != SweepOver::Heads)
        return;
    for (const Site& site : info.sites()) {
        for (int head = 0; head < info.heads(site); ++head)
            m_result.heads.push_back({site, head, {}});
    }
}

Question Sweep::questionOf(int sentence) const
{
    Question question = m_plan.question;
    if (m_sentences)
        question.text = (*m_sentences)[static_cast<std::size_t>(sentence)];
    return m_plan.fitted ? fitted(std::move(question), *m_model) : question;
}

// Counts what is taken away of one sentence, or several sentences.
void Sweep::say(const Workbench& bench) const
{
    const double part = m_work && m_work->count > 0 ? 1.0 * m_work->next / m_work->count : 0;
    const double fraction = (m_next + part) / std::max(1, m_result.count);
    if (m_sentences)
        bench.say({ExperimentProgress::Step::Sentence, fraction, m_model->name, m_next, m_result.count});
    else if (m_work)
        bench.say({ExperimentProgress::Step::Run, fraction, m_model->name, m_work->next, m_work->count});
    else
        bench.say({ExperimentProgress::Step::Reading, fraction, m_model->name});
}

void Sweep::runSentence(const Workbench& bench)
{
    say(bench);
    try {
        const Question question = questionOf(m_next);
        const Trace run = answer(question, *m_model, bench.engine, bench.observer(),
                                 m_sentences ? EditsFit::WherePossible : m_plan.edits);
        if (m_plan.ran)
            m_plan.ran(run);
        ++m_result.sentences;
        auto work = std::make_shared<Work>(Work{{m_model->model, question, run}, {}});
        if (m_plan.over && !work->output.tokens().empty())
            work->count =
                m_plan.over == SweepOver::Heads ? indexSize(m_result.heads) : indexSize(work->output.source().ids);
        if (work->count > 0)
            m_work = std::move(work);
        else
            ++m_next;
    } catch (const Error& error) {
        if (!m_sentences || error.kind() != ErrorKind::Input) // too long for this model, for example
            throw;
        if (m_result.leftOut++ == 0)
            m_result.reason = fmt::format("line {}: {}", m_next + 1, error.what());
        ++m_next;
    }
}

void Sweep::takeAway(const Workbench& bench)
{
    say(bench);
    Work& work = *m_work;
    if (!work.before) {
        const Tensor logits = work.output.logits({}, bench.engine, bench.stop);
        work.before.emplace(logits.matrix(), work.output.tokens());
        return;
    }
    const bool heads = m_plan.over == SweepOver::Heads;
    SweptHead* const head = heads ? &m_result.heads[static_cast<std::size_t>(work.next)] : nullptr;
    const Edit edit = heads ? headOff(head->site, head->head) : tokenHidden(work.next);
    const Tensor logits = work.output.logits({&edit, 1}, bench.engine, bench.stop);
    const OutputChange change = work.before->changeTo(logits.matrix());
    if (heads) {
        head->change += change;
    } else {
        const Encoding& source = work.output.source();
        m_result.tokens.push_back({m_next, work.next, source.tokens.at(static_cast<std::size_t>(work.next)), change});
    }
    if (++work.next == work.count) {
        m_work.reset();
        ++m_next;
    }
}

SweepResult Sweep::result() const
{
    return m_result;
}

bool Sweep::comparing() const
{
    return m_work && m_work->before;
}

} // namespace attn
