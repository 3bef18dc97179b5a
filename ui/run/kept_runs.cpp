// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/kept_runs.h"

#include <algorithm>

namespace attn::ui {

namespace {

// Keys and values of every input and of the source in every layer, which is more than a recurrent state needs.
double keptBytes(const KeptRun& run)
{
    const ModelInfo& info = run.model->info();
    const double width = std::max(info.modelWidth, info.headWidth * info.decoderHeads);
    const auto source = static_cast<double>(run.trace.source().size());
    return sizeof(float) * width
        * (2.0 * info.decoderLayers * (run.trace.stepCount() + 1) + source * (1 + 2.0 * info.crossLayers));
}

} // namespace

void KeptRuns::keep(quint64 number, std::shared_ptr<const KeptRun> run)
{
    m_runs.emplace_back(number, std::move(run));
    double bytes = 0;
    for (const auto& kept : m_runs)
        bytes += keptBytes(*kept.second);
    while (bytes > mostBytes) {
        bytes -= keptBytes(*m_runs.front().second);
        m_runs.erase(m_runs.begin());
    }
}

std::shared_ptr<const KeptRun> KeptRuns::find(const std::vector<quint64>& numbers) const
{
    for (const quint64 number : numbers) {
        for (const auto& kept : m_runs) {
            if (kept.first == number)
                return kept.second;
        }
    }
    return nullptr;
}

void KeptRuns::retain(const std::vector<quint64>& numbers, const ModelStore& models)
{
    std::erase_if(m_runs, [&](const auto& kept) {
        return std::find(numbers.begin(), numbers.end(), kept.first) == numbers.end()
            || !models.holds(*kept.second->model);
    });
}

} // namespace attn::ui
