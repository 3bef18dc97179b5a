// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "models/sequence_model.h"

#include <memory>
#include <span>
#include <vector>

namespace attn {

// A run's decoder with what every way of searching needs: feeding tokens, reading log-probabilities, numbering steps.
class SearchRun
{
public:
    SearchRun(const SequenceModel& model, std::shared_ptr<const EncoderOutput> encoded, const DecodingOptions& options,
              RunContext& context);

    const ModelInfo& info() const { return m_info; }
    const DecodingOptions& options() const { return m_options; }
    DecoderState& state() { return *m_state; }
    int limit() const { return m_limit; } // most tokens to produce
    bool ends(TokenId token) const { return m_info.endToken == token; }

    // Feeds one token per live hypothesis; afterwards logProbabilities(hypothesis) can be asked.
    void feed(std::span<const TokenId> tokens);
    void feedAll(std::span<const TokenId> tokens); // many tokens to the one hypothesis; rows instead of hypotheses
    std::vector<float> logProbabilities(int row) const; // tokens that are never produced at -inf
    std::span<const float> logits(int row) const { return m_state->logits().row(row); }

    // Numbers the step, adds what follows from the rest, reports it. Returns its number. Throws Error{Cancelled}.
    int report(DecodingStep step);

private:
    void reportLogits(bool rowsAreHypotheses);

    const ModelInfo& m_info;
    const DecodingOptions& m_options;
    RunContext& m_context;
    std::unique_ptr<DecoderState> m_state;
    int m_limit = 0;
    int m_sourceLength = 0;
    int m_steps = 0;
};

// Each returns the hypotheses, best first, after having reported every step.
std::vector<Hypothesis> searchOne(SearchRun& run); // greedy or sampling
std::vector<Hypothesis> searchBeam(SearchRun& run);
std::vector<Hypothesis> followTarget(SearchRun& run, std::span<const TokenId> target);

} // namespace attn
