// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/step_experiment.h"

#include <algorithm>
#include <utility>

namespace attn {

StepExperiment::StepExperiment(Question question, const Trace& run, std::optional<StepId> leaf, const CellAddress& cell)
    : m_question(std::move(question))
{
    const bool decoderOnly = run.kind() == ModelKind::DecoderOnly;
    m_question.sourceIds = decoderOnly ? run.sequence(leaf).ids : run.source().ids;
    m_question.sourceSegments = run.source().segments;
    m_question.secondText.reset();
    m_question.targetText.reset();
    m_question.prefixText.reset();
    m_question.prefixIds.reset();
    m_question.decoding.generate = 0;
    if (run.kind() == ModelKind::EncoderDecoder) {
        m_question.targetIds = run.target(leaf).ids;
        if (const Encoding inputs = run.decoderInputs(leaf); !inputs.ids.empty())
            m_question.decoding.start = inputs.ids.front();
    }
    m_question.capture = {.attention = false, .inside = cell};
}

bool StepExperiment::advance(const Workbench& bench)
{
    m_stages = bench.ask(m_question).stages();
    return false;
}

int firstAttending(const Trace& trace, Site site, int row, std::optional<StepId> leaf)
{
    const Numbers map = trace.matrix(site, 0, leaf);
    for (int candidate = std::max(0, row); candidate < map.rows; ++candidate) {
        const auto first = map.values.begin() + std::ptrdiff_t{candidate} * map.columns;
        if (std::any_of(first, first + map.columns, [](float weight) { return weight > 0; }))
            return candidate;
    }
    return row;
}

int strongestHead(const Trace& trace, Site site, int row, int column, std::optional<StepId> leaf)
{
    int strongest = 0;
    float most = -1;
    for (int head = 0; head < trace.heads(site); ++head) {
        const Numbers map = trace.matrix(site, head, leaf);
        if (row < map.rows && column < map.columns && map.at(row, column) > most) {
            most = map.at(row, column);
            strongest = head;
        }
    }
    return strongest;
}

} // namespace attn
