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
        const Encoding inputs = run.decoderInputs(leaf);
        if (!inputs.ids.empty() && inputs.ids.front() != noTokenId) // an archive has its text alone
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
    constexpr Index together = 32; // rows
    const Index rows = trace.shape(site, leaf).rows;
    for (Index first = std::max(0, row); first < rows; first += together) {
        const Numbers map = trace.matrix(site, 0, leaf, {first, together});
        for (Index candidate = 0; candidate < map.rows; ++candidate) {
            if (std::ranges::any_of(map.row(candidate), [](float weight) { return weight > 0; }))
                return first + candidate;
        }
    }
    return row;
}

int strongestHead(const Trace& trace, Site site, int row, int column, std::optional<StepId> leaf)
{
    int strongest = 0;
    float most = -1;
    for (int head = 0; head < trace.heads(site); ++head) {
        const Numbers map = trace.matrix(site, head, leaf, {row, 1});
        if (map.rows > 0 && column < map.columns && map.at(0, column) > most) {
            most = map.at(0, column);
            strongest = head;
        }
    }
    return strongest;
}

} // namespace attn
