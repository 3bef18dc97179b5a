// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/sampling.h"

#include "base/index.h"
#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

std::vector<DrawnToken> drawnTokens(std::span<const float> logProbabilities, const DecodingOptions& options)
{
    const int vocabulary = indexSize(logProbabilities);
    const auto best = mostProbable(logProbabilities, options.topK > 0 ? options.topK : vocabulary);
    const double most = best.front().logProbability;
    std::vector<DrawnToken> kept;
    double all = 0;
    for (const Candidate& candidate : best) {
        kept.push_back({candidate.token, std::exp((candidate.logProbability - most) / options.temperature)});
        all += kept.back().weight;
    }
    // The smallest set of best tokens that reaches top-p.
    double sum = 0;
    std::size_t count = 0;
    while (count < kept.size()
           && (count == 0 || (sum < options.topP * all && kept[count].weight >= options.minP * kept[0].weight)))
        sum += kept[count++].weight;
    kept.resize(count);
    return kept;
}

std::vector<double> drawProbabilities(std::span<const float> logProbabilities, const DecodingOptions& options)
{
    const auto kept = drawnTokens(logProbabilities, options);
    double all = 0;
    for (const DrawnToken& drawn : kept)
        all += drawn.weight;
    std::vector<double> result(logProbabilities.size(), 0.0);
    for (const DrawnToken& drawn : kept)
        result[drawn.token] = drawn.weight / all;
    return result;
}

namespace {

class TimeRules
{
public:
    TimeRules(std::vector<float>& logProbabilities, const Speech& speech)
        : m_logs(logProbabilities)
        , m_speech(speech)
        , m_firstTime(std::min(speech.withoutTimes + 1, size()))
    {
    }

    void apply(std::span<const TokenId> said)
    {
        forbid(m_speech.withoutTimes, m_speech.withoutTimes + 1);
        if (said.empty()) {
            forbid(0, m_firstTime);
            if (m_speech.latestFirst)
                forbid(m_firstTime + *m_speech.latestFirst + 1, size());
        }
        const bool afterTime = !said.empty() && m_speech.isTime(said.back());
        const bool ofPair = said.size() < 2 || m_speech.isTime(said[said.size() - 2]); // begins what is said next
        if (afterTime && ofPair)
            forbid(m_firstTime, size());
        else if (afterTime)
            forbid(0, m_speech.textEnd);
        const auto last = std::find_if(said.rbegin(), said.rend(), [&](TokenId id) { return m_speech.isTime(id); });
        if (last != said.rend())
            forbid(m_firstTime, afterTime && !ofPair ? *last : *last + 1);
        if (timesAreProbable())
            forbid(0, m_firstTime);
    }

private:
    TokenId size() const { return indexSize(m_logs); }

    void forbid(TokenId first, TokenId end)
    {
        for (TokenId token = std::max(first, 0); token < std::min(end, size()); ++token)
            m_logs[static_cast<std::size_t>(token)] = -std::numeric_limits<float>::infinity();
    }

    // Whether all times together are more probable than any other token.
    bool timesAreProbable() const
    {
        const auto begin = m_logs.begin() + m_firstTime;
        double times = 0;
        for (auto log = begin; log != m_logs.end(); ++log)
            times += std::exp(static_cast<double>(*log));
        const auto other = std::max_element(m_logs.begin(), begin);
        return times > (other == begin ? 0.0 : std::exp(static_cast<double>(*other)));
    }

    std::vector<float>& m_logs;
    const Speech& m_speech;
    TokenId m_firstTime;
};

} // namespace

void applySpeechRules(std::vector<float>& logProbabilities, const Speech& speech, std::span<const TokenId> said,
                      bool withTimes)
{
    if (said.empty())
        removeTokens(logProbabilities, speech.notFirst);
    if (withTimes)
        TimeRules(logProbabilities, speech).apply(said);
}

} // namespace attn
