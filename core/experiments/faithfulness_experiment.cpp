// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/faithfulness_experiment.h"

#include "base/error.h"
#include "base/index.h"
#include "experiments/sentences.h"
#include "loading/model_loader.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

// All positions, where the output has any.
ReadingOptions optionsOf(const FaithfulnessExperiment::Plan& plan, const Trace& run)
{
    ReadingOptions options;
    options.eraseHides = plan.hides;
    const bool hasPositions = run.kind() != ModelKind::EncoderOnly && !run.classification() && !run.tokenPredictions();
    options.of = run.tokenPredictions() && run.tokenPredictions()->task == TaskHead::Span ? std::nullopt : plan.of;
    options.ofAll = !plan.of && hasPositions;
    return options;
}

} // namespace

struct FaithfulnessExperiment::Work
{
    Question question;
    Trace trace;
    std::optional<ExplainedRun> run; // of these
    ReadingResults results;
    std::size_t next = 0; // method
};

FaithfulnessExperiment::FaithfulnessExperiment(Plan plan)
    : m_plan(std::move(plan))
    , m_methods(comparedMethods())
{
    if (m_plan.sentences)
        clearTexts(m_plan.question);
}

bool FaithfulnessExperiment::advance(const Workbench& bench)
{
    if (!m_model) {
        prepare(bench);
        return true;
    }
    if (m_plan.sentences) {
        compareSentence(bench);
        return m_result.sentences + m_result.leftOut < m_result.count;
    }
    compareMethod(bench);
    return m_work->next < m_methods.size();
}

void FaithfulnessExperiment::prepare(const Workbench& bench)
{
    bench.say({ExperimentProgress::Step::Loading, 0, m_plan.question.model});
    if (m_plan.sentences) {
        m_sentences = m_plan.sentences();
        m_result.count = indexSize(m_sentences);
    }
    auto model = bench.load(m_plan.question.model);
    if (m_plan.shuffled)
        m_shuffled = std::make_shared<const LoadedModel>(loadShuffled(m_plan.question.model, bench.engine, bench.stop));
    m_model = std::move(model);
}

std::shared_ptr<FaithfulnessExperiment::Work> FaithfulnessExperiment::workOn(const Question& question,
                                                                             const Workbench& bench, EditsFit fit) const
{
    auto work = std::make_shared<Work>();
    work->question = fitted(question, *m_model);
    work->question.capture = {.attention = true, .scores = true};
    work->trace = answer(work->question, *m_model, bench.engine, bench.observer(), fit);
    work->run.emplace(*m_model, work->question, work->trace, optionsOf(m_plan, work->trace), bench.engine, bench.stop);
    return work;
}

void FaithfulnessExperiment::countPaths(const ReadingResults& results)
{
    for (const auto& path : results.completeness) {
        m_result.paths += path ? 1 : 0;
        m_result.unsettled += path && !path->settled() ? 1 : 0;
    }
}

void FaithfulnessExperiment::compareMethod(const Workbench& bench)
{
    const auto count = indexSize(m_methods);
    if (!m_work) {
        bench.say({ExperimentProgress::Step::Reading, 0, m_model->name});
        m_work = workOn(m_plan.question, bench, EditsFit::Required);
        m_result.run = m_work->trace;
    }
    Work& work = *m_work;
    const ReadingMethod* const method = m_methods[work.next];
    bench.say({ExperimentProgress::Step::Run, 1.0 * static_cast<double>(work.next) / count, m_model->name,
               static_cast<int>(work.next), count});
    if (work.next == 0) { // erasure, which all others are compared with
        work.results = withErasure(*work.run, {});
    } else {
        ReadingResults found = computeReadings(*work.run, {&method, 1});
        work.results.arrays.merge(found.arrays);
        work.results.methods.merge(found.methods);
        m_result.absent.merge(found.absent);
        countPaths(found);
    }
    m_result.rows = faithfulness(*work.run, work.results);
    if (++work.next < m_methods.size())
        return;
    m_result.sentences = 1;
    if (m_shuffled)
        addShuffledControl(m_result.rows, *work.run, work.results, m_methods, *m_shuffled, bench.files);
}

void FaithfulnessExperiment::compareSentence(const Workbench& bench)
{
    const int number = m_result.sentences + m_result.leftOut;
    bench.say(
        {ExperimentProgress::Step::Sentence, 1.0 * number / m_result.count, m_model->name, number, m_result.count});
    try {
        Question question = m_plan.question;
        question.text = m_sentences[static_cast<std::size_t>(number)];
        const auto work = workOn(question, bench, EditsFit::WherePossible);
        const ReadingResults results = withErasure(*work->run, computeReadings(*work->run, m_methods));
        std::vector<Faithfulness> rows = faithfulness(*work->run, results);
        if (m_shuffled)
            addShuffledControl(rows, *work->run, results, m_methods, *m_shuffled, bench.files);
        for (const Faithfulness& row : rows)
            m_means.add(row);
        countPaths(results);
        ++m_result.sentences;
        m_result.absent = results.absent;
        m_result.means = m_means.means();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input) // too long for this model, for example
            throw;
        if (m_result.leftOut++ == 0)
            m_result.reason = fmt::format("line {}: {}", number + 1, error.what());
    }
}

} // namespace attn
