// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/decode.h"
#include "nn/engine.h"
#include "support/fake_model.h"
#include "trace/trace_builder.h"

#include <cmath>
#include <functional>
#include <initializer_list>
#include <map>
#include <numeric>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace attn::test {

inline constexpr TokenId end = 1;

using Tokens = std::vector<TokenId>;

// What follows each prefix, the start token left out; other prefixes are followed by `otherwise`.
inline Script scripted(std::map<Tokens, std::vector<double>> table, std::vector<double> otherwise)
{
    return [table = std::move(table), otherwise = std::move(otherwise)](const Tokens& prefix) {
        const auto found = table.find(Tokens(prefix.begin() + 1, prefix.end()));
        return found == table.end() ? otherwise : found->second;
    };
}

struct Run
{
    Trace trace;
    RunSummary summary;

    Tokens best() const { return trace.target().ids; }
    Tokens tokens(std::size_t hypothesis) const { return trace.target(summary.hypotheses.at(hypothesis).step).ids; }
};

// With the source 5 6 7, or as a prompt.
inline Run decodeGiven(const SequenceModel& model, const DecodingOptions& options, const GivenOutput& given,
                       const std::stop_token& stop = {}, const std::function<void()>& changed = {})
{
    Engine engine(1);
    const Tokens source{5, 6, 7};
    Provenance provenance;
    provenance.kind = model.info().kind;
    provenance.prefixIds = given.prefix;
    TraceBuilder builder({}, nullptr, provenance, changed);
    RunContext context{engine, builder, Capture{.logits = true}, stop};
    decode(model, source, given, options, context);
    const Trace trace = builder.snapshot();
    return {trace, trace.summary().value()};
}

inline Run decodeWith(const SequenceModel& model, const DecodingOptions& options,
                      const std::optional<Tokens>& forced = std::nullopt, const std::stop_token& stop = {},
                      const std::function<void()>& changed = {})
{
    return decodeGiven(model, options, {.whole = forced}, stop, changed);
}

inline DecodingOptions beam(int size, int maxLength = 10)
{
    DecodingOptions options;
    options.search = Search::Beam;
    options.beamSize = size;
    options.maxLength = maxLength;
    return options;
}

inline DecodingOptions sampling(std::uint64_t seed, int maxLength = 30)
{
    DecodingOptions options;
    options.search = Search::Sampling;
    options.seed = seed;
    options.maxLength = maxLength;
    return options;
}

inline double logOf(std::initializer_list<double> probabilities)
{
    return std::accumulate(probabilities.begin(), probabilities.end(), 0.0,
                           [](double sum, double p) { return sum + std::log(p); });
}

inline bool near(double a, double b, double tolerance = 1e-5)
{
    return std::abs(a - b) < tolerance;
}

// Vocabulary: 0 start, 1 end, 2 .. 4 words. Greedy takes 2 and ends; 3 3 end is more probable per token.
inline FakeModel gardenPath()
{
    return {5, end,
            scripted({{{}, {0, 0.02, 0.5, 0.44, 0.04}},
                      {{2}, {0, 0.4, 0.3, 0.2, 0.1}},
                      {{3}, {0, 0.02, 0.02, 0.94, 0.02}},
                      {{3, 3}, {0, 0.97, 0.01, 0.01, 0.01}}},
                     {0, 0.25, 0.25, 0.25, 0.25})};
}

} // namespace attn::test
