// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/output_change.h"

#include "base/index.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

namespace {

// Log of the sum of exp(logits); NaN where one of them is NaN, or infinite.
double logOfSum(std::span<const float> logits)
{
    const Eigen::Map<const Eigen::ArrayXf> values(logits.data(), std::ssize(logits));
    const float largest = values.maxCoeff();
    if (values.hasNaN() || !std::isfinite(largest))
        return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(largest) + std::log((values - largest).exp().cast<double>().sum());
}

} // namespace

OutputDistributions::OutputDistributions(NumberView logits, std::vector<int> tokens)
    : m_tokens(std::move(tokens))
    , m_logits(Numbers::of(logits.rowRange(0, indexSize(m_tokens))))
    , m_probabilities(m_logits)
{
    for (int place = 0; place < indexSize(m_tokens); ++place) {
        const double normalizer = m_normalizers.emplace_back(logOfSum(m_logits.row(place)));
        for (float& value : m_probabilities.row(place))
            value = static_cast<float>(std::exp(static_cast<double>(value) - normalizer));
    }
}

OutputChange OutputDistributions::changeTo(NumberView logits) const
{
    OutputChange change;
    for (int place = 0; place < indexSize(m_tokens); ++place) {
        const auto before = m_logits.row(place);
        const auto after = logits.row(place);
        const auto probabilities = m_probabilities.row(place);
        const double shift = logOfSum(after) - m_normalizers[place];
        double sum = 0;
        for (std::size_t i = 0; i < probabilities.size(); ++i) {
            if (probabilities[i] != 0)
                sum += static_cast<double>(probabilities[i])
                    * (static_cast<double>(before[i]) - static_cast<double>(after[i]));
        }
        const double divergence = sum + shift;
        change.divergence += divergence < 0 ? 0 : divergence; // rounding; a NaN stays
        const int token = m_tokens[place];
        change.logProbability += static_cast<double>(after[token]) - static_cast<double>(before[token]) - shift;
        ++change.places;
    }
    return change;
}

namespace {

constexpr Index longest = 15; // tokens

bool mayAnswer(const Encoding& source, Index token)
{
    const auto place = static_cast<std::size_t>(token);
    const bool special = place < source.special.size() && source.special[place];
    const bool pairs = std::ranges::find(source.segments, 1) != source.segments.end();
    return !special && (!pairs || source.segments[place] == 1);
}

} // namespace

std::vector<AnswerSpan> bestSpans(const TokenPredictions& predictions, const Encoding& source, std::size_t most)
{
    std::vector<AnswerSpan> spans;
    const NumberView logits = predictions.logits.view();
    const Index tokens = std::min(logits.rows, indexSize(source.ids));
    std::array<std::vector<float>, 2> ends; // logits of the tokens that may be chosen
    for (Index first = 0; first < tokens; ++first) {
        if (!mayAnswer(source, first))
            continue;
        for (const Index end : {0, 1})
            ends.at(static_cast<std::size_t>(end)).push_back(logits.at(first, end));
        for (Index last = first; last < std::min(first + longest, tokens); ++last) {
            const float score = logits.at(first, 0) + logits.at(last, 1);
            if (mayAnswer(source, last) && !std::isnan(score))
                spans.push_back({first, last, score});
        }
    }
    std::ranges::stable_sort(spans, std::ranges::greater(), &AnswerSpan::score);
    spans.resize(std::min(spans.size(), most));
    if (spans.empty())
        return spans;
    const double all = logOfSum(ends[0]) + logOfSum(ends[1]);
    for (AnswerSpan& span : spans)
        span.probability = std::exp(span.score - all);
    return spans;
}

std::optional<AnswerSpan> bestSpan(const TokenPredictions& predictions, const Encoding& source)
{
    const auto best = bestSpans(predictions, source, 1);
    return best.empty() ? std::nullopt : std::optional(best.front());
}

std::string textOf(const Encoding& source, const AnswerSpan& span)
{
    const auto first = static_cast<std::size_t>(span.first);
    const auto last = static_cast<std::size_t>(span.last);
    if (source.spans.size() == source.size() && source.spans[first].begin < source.spans[last].end
        && source.spans[last].end <= source.text.size())
        return source.text.substr(source.spans[first].begin, source.spans[last].end - source.spans[first].begin);
    std::string text;
    for (std::size_t token = first; token <= last && token < source.tokens.size(); ++token)
        text += (text.empty() ? "" : " ") + source.tokens[token];
    return text;
}

namespace {

double entropy(const std::vector<Candidate>& candidates)
{
    const auto part = [](double probability) { return probability > 0 ? -probability * std::log(probability) : 0.0; };
    double sum = 0;
    double rest = 1;
    for (const Candidate& candidate : candidates) {
        const double probability = std::exp(double{candidate.logProbability});
        sum += part(probability);
        rest -= probability;
    }
    if (!std::isfinite(rest)) // as one of the probabilities is
        return std::numeric_limits<double>::quiet_NaN();
    return candidates.empty() ? 0 : sum + part(rest);
}

} // namespace

int mostUncertainStep(const Trace::Path& path)
{
    int best = 0;
    double most = 0;
    for (Index i = 0; i < indexSize(path); ++i) {
        const double value = entropy(path[i]->step.candidates);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

} // namespace attn
