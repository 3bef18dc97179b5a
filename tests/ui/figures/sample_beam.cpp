// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sample_traces.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace attn::test {

namespace {

constexpr int words = 500; // the end token has the number after them
constexpr int sourceLength = 5;

class Pieces final : public TokenDescriber
{
public:
    Encoding describe(std::span<const TokenId> ids) const override
    {
        Encoding encoding;
        for (const TokenId id : ids) {
            encoding.ids.push_back(id);
            encoding.tokens.push_back(id == words ? "</s>" : m_words[static_cast<std::size_t>(id)]);
            encoding.words.push_back(id == words ? -1 : static_cast<int>(encoding.words.size()));
            encoding.special.push_back(id == words);
            encoding.text += (encoding.text.empty() ? "" : " ") + encoding.tokens.back();
        }
        return encoding;
    }

private:
    std::vector<std::string> m_words = syllables(words);
};

struct Alive
{
    std::optional<StepId> step;
    float sum = 0;
};

class SearchMaker
{
public:
    explicit SearchMaker(const SampleBeam& search)
        : m_search(search)
        , m_random(search.seed)
        , m_builder(source(), std::make_shared<Pieces>(), provenance(search))
    {
    }

    Trace make()
    {
        m_builder.begun(source().ids, 0);
        const int rounds = m_search.done < 0 ? m_search.steps : std::min(m_search.done, m_search.steps);
        for (int round = 0; round < rounds && !m_live.empty(); ++round)
            advance(round);
        if (m_search.done < 0)
            finish();
        return m_builder.snapshot();
    }

private:
    static Encoding source()
    {
        Encoding source;
        for (int i = 0; i < sourceLength; ++i) {
            source.ids.push_back(i);
            source.tokens.push_back("in" + std::to_string(i));
        }
        return source;
    }

    static Provenance provenance(const SampleBeam& search)
    {
        Provenance provenance;
        provenance.model = "sample";
        provenance.decoding = "beam:" + std::to_string(search.width);
        provenance.prefixIds.resize(static_cast<std::size_t>(search.given));
        return provenance;
    }

    float draw() { return std::uniform_real_distribution<float>(0, 1)(m_random); }

    void advance(int round)
    {
        const bool given = round < m_search.given;
        std::vector<DecodingStep> all;
        for (int live = 0; live < static_cast<int>(m_live.size()); ++live) {
            const std::vector<float> weights(sourceLength, 1.0F / sourceLength);
            m_builder.attention({{Stage::Cross, 0}, live, round, {weights.data(), 1, 1, sourceLength}, {}});
            const std::array<float, 3> costs{-0.1F - draw(), -0.6F - 2 * draw(), -0.9F - 2 * draw()};
            for (std::size_t choice = 0; choice < (given ? 1U : costs.size()); ++choice) {
                DecodingStep step;
                step.parent = m_live[static_cast<std::size_t>(live)].step;
                step.position = round;
                step.hypothesis = live;
                step.logProbability = costs[choice];
                step.score = m_live[static_cast<std::size_t>(live)].sum + costs[choice];
                step.ends = !given && round > 2 && draw() < 0.06F;
                step.token = step.ends ? words : static_cast<TokenId>(m_random() % words);
                step.candidates = {{step.token, step.logProbability}, {7, step.logProbability - 1}};
                all.push_back(step);
            }
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const DecodingStep& a, const DecodingStep& b) { return a.score > b.score; });
        m_live.clear();
        for (DecodingStep& step : all) {
            if (static_cast<int>(m_live.size()) == m_search.width)
                break;
            step.index = StepId{m_steps++};
            m_builder.stepped(step);
            if (step.ends)
                m_finals.push_back({step.index, double{step.score}, double{step.score} / (round + 1), true});
            else
                m_live.push_back({step.index, step.score});
        }
    }

    void finish()
    {
        for (const Alive& live : m_live)
            m_finals.push_back({live.step, double{live.sum}, double{live.sum} / m_search.steps, false});
        std::stable_sort(m_finals.begin(), m_finals.end(),
                         [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
        m_builder.finished({m_finals, 0.1});
    }

    SampleBeam m_search;
    std::mt19937 m_random;
    TraceBuilder m_builder;
    std::vector<Alive> m_live{Alive{}};
    std::vector<Hypothesis> m_finals;
    int m_steps = 0;
};

} // namespace

Trace sampleBeam(const SampleBeam& search)
{
    return SearchMaker(search).make();
}

} // namespace attn::test
