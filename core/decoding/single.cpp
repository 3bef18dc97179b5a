// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "decoding/sampling.h"
#include "decoding/search.h"

#include <algorithm>
#include <random>

namespace attn {

namespace {

class Sampler
{
public:
    explicit Sampler(const DecodingOptions& options)
        : m_options(options)
        , m_generator(options.seed)
    {
    }

    TokenId draw(std::span<const float> logProbabilities)
    {
        const auto kept = drawnTokens(logProbabilities, m_options);
        double sum = 0;
        for (const DrawnToken& drawn : kept)
            sum += drawn.weight;
        // 53 random bits: the same number on every platform, unlike std::uniform_real_distribution.
        double left = static_cast<double>(m_generator() >> 11U) * 0x1.0p-53 * sum;
        for (const DrawnToken& drawn : kept) {
            left -= drawn.weight;
            if (left < 0)
                return drawn.token;
        }
        return kept.back().token;
    }

private:
    const DecodingOptions& m_options;
    std::mt19937_64 m_generator;
};

} // namespace

std::vector<Hypothesis> searchOne(SearchRun& run)
{
    Sampler sampler(run.options());
    const bool sampling = run.options().search == Search::Sampling;
    Hypothesis result = run.begin();
    TokenId input = 0;
    int length = run.prefixLength();
    while (length < run.limit() && !result.ended) {
        if (length > run.prefixLength())
            run.feed({&input, 1});
        const std::vector<float> logs = run.logProbabilities(0, run.tokensTo(result.step));
        input = sampling ? sampler.draw(logs) : static_cast<TokenId>(std::ranges::max_element(logs) - logs.begin());
        run.append(result, run.firstPosition() + length++, input, logs);
        result.ended = run.ends(input);
    }
    if (length > 0)
        result.score = result.sum / length;
    run.close({&result, 1});
    return {result};
}

std::vector<Hypothesis> followTarget(SearchRun& run, std::span<const TokenId> target)
{
    Hypothesis result;
    if (target.empty())
        return {result};
    std::vector<TokenId> inputs{run.start()};
    inputs.insert(inputs.end(), target.begin(), target.end() - 1);
    run.feedAll(inputs);
    for (int i = 0; i < indexSize(target); ++i) {
        run.append(result, i, target[i], run.logSoftmaxOf(i));
    }
    result.score = result.sum / indexSize(target);
    result.ended = run.ends(target.back());
    return {result};
}

} // namespace attn
