// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/trace_difference.h"

#include "base/index.h"
#include "base/thread_stop.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <random>

namespace attn {

namespace {

// Weights that are no numbers in both are equal; in one of them they differ as far as weights can.
double weightDifference(float a, float b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0;
    const double difference = std::abs(double{a} - b);
    return std::isfinite(difference) ? difference : 1;
}

HeadDifference headDifference(Site site, int head, const Numbers& a, const Numbers& b)
{
    HeadDifference result{site, head};
    for (Index row = 0; row < a.rows; ++row) {
        const auto here = a.view().row(row);
        const auto there = b.view().row(row);
        double sum = 0;
        for (Index column = 0; column < a.columns; ++column) {
            const double difference = weightDifference(here[column], there[column]);
            result.largest = std::max(result.largest, difference);
            sum += difference;
        }
        result.rows.push_back(sum / 2);
    }
    return result;
}

void compareTokens(const char* side, const Encoding& a, const Encoding& b, std::vector<std::string>& structure)
{
    if (a.size() != b.size()) {
        structure.push_back(fmt::format("{} tokens: {} and {}", side, a.size(), b.size()));
        return;
    }
    const auto [one, other] = std::ranges::mismatch(a.tokens, b.tokens);
    if (one != a.tokens.end())
        structure.push_back(
            fmt::format("{} token {}: {} and {}", side, std::distance(a.tokens.begin(), one), *one, *other));
}

Encoding read(const Trace& trace)
{
    return trace.kind() == ModelKind::DecoderOnly ? trace.sequence() : trace.source();
}

} // namespace

TraceDifference differenceOf(const Trace& a, const Trace& b)
{
    TraceDifference result;
    compareTokens("source", read(a), read(b), result.structure);
    if (a.kind() == ModelKind::EncoderDecoder && b.kind() == ModelKind::EncoderDecoder)
        compareTokens("target", a.target(), b.target(), result.structure);
    std::vector<Site> sites = a.sites();
    for (const Site& site : b.sites()) {
        if (std::ranges::find(sites, site) == sites.end())
            sites.push_back(site);
    }
    for (const Site& site : sites) {
        const MatrixShape here = a.shape(site);
        const MatrixShape there = b.shape(site);
        if (a.heads(site) != b.heads(site) || here != there)
            result.structure.push_back(fmt::format("{}: {} heads of {}x{} and {} of {}x{}", siteText(site),
                                                   a.heads(site), here.rows, here.columns, b.heads(site), there.rows,
                                                   there.columns));
        for (int head = 0; here == there && head < std::min(a.heads(site), b.heads(site)); ++head) {
            ThreadStop::check();
            result.heads.push_back(headDifference(site, head, a.matrix(site, head), b.matrix(site, head)));
        }
    }
    const Trace::Path path = a.path();
    const Trace::Path other = b.path();
    for (std::size_t i = 0; i < std::min(path.size(), other.size()); ++i)
        result.logProbability = std::max(result.logProbability,
                                         weightDifference(path[i]->step.logProbability, other[i]->step.logProbability));
    return result;
}

MeanInterval bootstrapMean(std::span<const double> values)
{
    constexpr std::size_t samples = 1000;
    constexpr double tail = 0.025;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (values.empty())
        return {none, none, none};
    std::mt19937 random(1);
    std::vector<double> means;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        ThreadStop::check();
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += values[random() % values.size()];
        means.push_back(sum / static_cast<double>(values.size()));
    }
    std::ranges::sort(means);
    const auto at = [&](double share) {
        return means[static_cast<std::size_t>(std::lround(share * static_cast<double>(samples - 1)))];
    };
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return {mean, at(tail), at(1 - tail)};
}

} // namespace attn
