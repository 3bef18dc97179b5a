// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace attn {

namespace {

struct LiveHypothesis
{
    std::optional<StepId> step;
    double sum = 0;
    TokenId token = 0; // the next input
};

// One live hypothesis and one token that may follow.
struct Continuation
{
    int hypothesis = 0;
    TokenId token = 0;
    float logProbability = 0;
    double sum = 0;
};

bool better(const Hypothesis& a, const Hypothesis& b)
{
    return a.score > b.score;
}

// Beam search over the continuations of the live hypotheses, in the order of their sums: one that ends has finished if
// it stands among the first K, one that does not lives on, until K do.
class Beam
{
public:
    explicit Beam(SearchRun& run)
        : m_run(run)
        , m_width(run.options().beamSize)
    {
    }

    std::vector<Hypothesis> search()
    {
        const Hypothesis given = m_run.begin();
        m_live.push_back({given.step, given.sum, 0});
        m_length = m_run.prefixLength();
        while (m_length < m_run.limit() && !m_live.empty() && !settled())
            advance();
        if (m_length >= m_run.limit()) {
            for (const LiveHypothesis& live : m_live)
                m_finished.push_back({live.step, live.sum, perToken(live.sum), false});
        }
        std::ranges::stable_sort(m_finished, better);
        m_run.close(m_finished);
        return std::move(m_finished);
    }

private:
    double perToken(double sum) const { return m_length > 0 ? sum / m_length : 0; }

    // K have finished and no live hypothesis is above the K-th best of them.
    bool settled()
    {
        if (indexSize(m_finished) < m_width)
            return false;
        std::ranges::stable_sort(m_finished, better);
        return perToken(std::ranges::max(m_live, {}, &LiveHypothesis::sum).sum) <= m_finished[m_width - 1].score;
    }

    std::vector<Continuation> continuations()
    {
        if (m_length > m_run.prefixLength()) {
            std::vector<TokenId> inputs;
            for (const LiveHypothesis& live : m_live)
                inputs.push_back(live.token);
            m_run.feed(inputs);
        }
        m_candidates.clear();
        std::vector<Continuation> all;
        // A hypothesis has one continuation that ends, so the best 2K of each are enough to keep K alive.
        const int wanted = 2 * m_width;
        for (int h = 0; h < indexSize(m_live); ++h) {
            const std::vector<float> logs = m_run.logProbabilities(h, m_run.tokensTo(m_live[h].step));
            auto best = mostProbable(logs, std::max(wanted, m_run.options().candidates));
            for (int i = 0; i < std::min(indexSize(best), wanted); ++i)
                all.push_back({h, best[i].token, best[i].logProbability, m_live[h].sum + best[i].logProbability});
            best.resize(std::clamp(m_run.options().candidates, 0, indexSize(best)));
            m_candidates.push_back(std::move(best));
        }
        std::ranges::stable_sort(all, [](const Continuation& a, const Continuation& b) { return a.sum > b.sum; });
        return all;
    }

    StepId report(const Continuation& next)
    {
        DecodingStep step;
        step.parent = m_live[next.hypothesis].step;
        step.position = m_run.firstPosition() + m_length;
        step.hypothesis = next.hypothesis;
        step.token = next.token;
        step.logProbability = next.logProbability;
        step.score = static_cast<float>(next.sum);
        step.candidates = m_candidates[next.hypothesis];
        return m_run.report(std::move(step));
    }

    void advance()
    {
        std::vector<LiveHypothesis> grown;
        std::vector<int> parents;
        const auto all = continuations();
        for (int rank = 0; rank < indexSize(all) && indexSize(grown) < m_width; ++rank) {
            const Continuation& next = all[rank];
            if (!m_run.ends(next.token)) {
                grown.push_back({report(next), next.sum, next.token});
                parents.push_back(next.hypothesis);
            } else if (rank < m_width) {
                m_finished.push_back({report(next), next.sum, next.sum / (m_length + 1), true});
            }
        }
        ++m_length;
        m_live = std::move(grown);
        if (!m_live.empty())
            m_run.state().reorder(parents);
    }

    SearchRun& m_run;
    int m_width;
    int m_length = 0; // of the live hypotheses
    std::vector<LiveHypothesis> m_live;
    std::vector<std::vector<Candidate>> m_candidates; // per live hypothesis
    std::vector<Hypothesis> m_finished;
};

} // namespace

std::vector<Hypothesis> searchBeam(SearchRun& run)
{
    return Beam(run).search();
}

} // namespace attn
