// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/look_experiment.h"

#include "base/index.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr Site lookSite{Stage::Cross, 0};

void checkLooks(const Trace& trace)
{
    if (trace.source().boxes.empty() || trace.heads(lookSite) != 1 || trace.heads({Stage::Cross, 1}) > 0)
        throw Error(ErrorKind::Unsupported, trace.provenance().model,
                    "has no single attention of words that looks at a picture", "open a captioner");
}

// Weights of a row before its edits.
Numbers weightsOf(const Trace& trace, int row)
{
    return trace.matrix(lookSite, 0, {}, {row, 1});
}

} // namespace

LookExperiment::LookExperiment(Plan plan)
    : m_plan(std::move(plan))
{
}

bool LookExperiment::advance(const Workbench& bench)
{
    const int count = 2 * (m_runs[0].steps() + 1);
    const int done = m_which * count / 2 + m_row;
    bench.say({ExperimentProgress::Step::Run, double{1} * done / count, {}, done, count});
    Question question = m_plan.question;
    question.edits.insert(question.edits.end(), m_edits.begin(), m_edits.end());
    Trace& run = m_runs.at(static_cast<std::size_t>(m_which));
    run = bench.ask(question);
    checkLooks(run);
    if (isHard() || !m_plan.gated) {
        if (m_row < run.steps()) {
            editRow();
            return true;
        }
    }
    m_row = 0;
    m_edits.clear();
    return ++m_which < 2;
}

void LookExperiment::editRow()
{
    const Trace& run = m_runs.at(static_cast<std::size_t>(m_which));
    const Numbers weights = weightsOf(run, m_row);
    const auto gate = run.path()[static_cast<std::size_t>(m_row)]->gate;
    const double most = m_plan.gated || !gate || *gate <= 0 ? 1 : 1 / double{*gate};
    const std::span<const float> patches = weights.row(0);
    const auto largest = std::ranges::max_element(patches);
    if (isHard() && largest != patches.end() && *largest > 0) {
        m_edits.push_back(fmt::format("cross:0:0:{}=zero", m_row));
        m_edits.push_back(fmt::format("cross:0:0:{}:{}=set:{:.7f}", m_row, largest - patches.begin(), most));
    } else if (most != 1) {
        m_edits.push_back(fmt::format("cross:0:0:{}=scale:{:.7f}", m_row, most));
    }
    ++m_row;
}

GreyExperiment::GreyExperiment(Plan plan)
    : m_plan(std::move(plan))
{
}

bool GreyExperiment::isOther() const
{
    return !m_runs.empty() && m_runs.back().target().ids != m_runs.front().target().ids;
}

bool GreyExperiment::advance(const Workbench& bench)
{
    const auto done = indexSize(m_runs);
    bench.say({ExperimentProgress::Step::Run,
               m_order.empty() ? 0 : double{1} * done / indexSize(m_order),
               {},
               done,
               indexSize(m_order) + 1});
    const auto model = bench.load(m_plan.question.model);
    const auto media = m_runs.empty() ? nullptr : m_runs.front().media();
    RunObserver observer = bench.observer();
    observer.media = media;
    m_runs.push_back(answer(fitted(m_plan.question, *model), *model, bench.engine, observer));
    if (m_order.empty()) {
        const Trace& run = m_runs.front();
        checkLooks(run);
        const bool isOne = m_plan.word && *m_plan.word < run.steps();
        const Numbers row = isOne ? weightsOf(run, *m_plan.word) : Numbers();
        const std::vector<double> weights =
            isOne ? std::vector<double>(row.row(0).begin(), row.row(0).end()) : coverage(run);
        for (int column = 0; column < indexSize(weights); ++column) {
            if (run.source().ids[static_cast<std::size_t>(column)] != noTokenId) // special tokens are not grey
                m_order.push_back(column);
        }
        std::ranges::stable_sort(m_order, [&](int a, int b) {
            return weights[static_cast<std::size_t>(a)] > weights[static_cast<std::size_t>(b)];
        });
    }
    if (isOther() || done >= indexSize(m_order))
        return false;
    m_plan.question.edits.push_back(fmt::format("source:{}=grey", m_order[static_cast<std::size_t>(done)]));
    return true;
}

std::vector<double> coverage(const Trace& trace)
{
    const Numbers weights = trace.matrix(lookSite, 0);
    std::vector<double> sums(static_cast<std::size_t>(weights.columns));
    for (Index row = 0; row < weights.rows; ++row) {
        for (Index column = 0; column < weights.columns; ++column)
            sums[static_cast<std::size_t>(column)] += double{weights.at(row, column)};
    }
    return sums;
}

double coverageLoss(const std::vector<double>& coverage)
{
    double sum = 0;
    for (const double part : coverage)
        sum += (1 - part) * (1 - part);
    return coverage.empty() ? 0 : sum / static_cast<double>(coverage.size());
}

} // namespace attn
