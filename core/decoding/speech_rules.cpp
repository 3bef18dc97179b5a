// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/speech_rules.h"

#include "base/index.h"
#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

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
