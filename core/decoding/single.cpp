// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace attn {

namespace {

// Draws a token from the distribution sharpened by temperature and cut by top-k, top-p (Holtzman et al. 2020) and min-p
// (Nguyen et al. 2024).
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
        const int vocabulary = indexSize(logProbabilities);
        const auto kept = mostProbable(logProbabilities, m_options.topK > 0 ? m_options.topK : vocabulary);
        std::vector<double> weights;
        const double best = kept.front().logProbability;
        for (const Candidate& candidate : kept)
            weights.push_back(std::exp((candidate.logProbability - best) / m_options.temperature));
        const double all = std::reduce(weights.begin(), weights.end());
        // The smallest set of best tokens that reaches top-p.
        double sum = 0;
        std::size_t count = 0;
        while (count < weights.size()
               && (count == 0 || (sum < m_options.topP * all && weights[count] >= m_options.minP * weights[0])))
            sum += weights[count++];
        // 53 random bits: the same number on every platform, unlike std::uniform_real_distribution.
        double left = static_cast<double>(m_generator() >> 11U) * 0x1.0p-53 * sum;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            left -= weights[i];
            if (left < 0)
                return kept[i].token;
        }
        return kept[count - 1].token;
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
    if (run.limit() > 0)
        result.sum = result.score = 0; // of what is chosen
    TokenId input = 0;
    int length = 0;
    while (length < run.limit() && !result.ended) {
        if (length > 0)
            run.feed({&input, 1});
        const std::vector<float> logs = run.logProbabilities(0);
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
        run.append(result, i, target[i], logSoftmax(run.logits(i)));
    }
    result.score = result.sum / indexSize(target);
    result.ended = run.ends(target.back());
    return {result};
}

} // namespace attn
