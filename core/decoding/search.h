// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "decoding/decode.h"
#include "decoding/options.h"
#include "models/sequence_model.h"
#include "trace/trace_sink.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// Stands behind every known log-probability, so that sums can be compared; report() and what a run returns have NaN.
inline constexpr float unknownLogProbability = -1e32F;

// The value, or NaN where it is a mean or a sum with an unknown one in it.
template<class Value>
Value known(Value value)
{
    constexpr Value leastKnown{-1e25F};
    return std::isfinite(value) && value < leastKnown ? std::numeric_limits<Value>::quiet_NaN() : value;
}

// Log-probabilities of a row of logits, as nn/normalization.h has them.
std::vector<float> logSoftmax(Engine& engine, std::span<const float> logits);

// The same with the tokens that are never produced at -inf; the others are not renormalised.
void removeTokens(std::vector<float>& logProbabilities, std::span<const TokenId> tokens);

// All others at -inf, not renormalised.
void keepOnly(std::vector<float>& logProbabilities, TokenId token);

// The `count` most probable tokens, best first, lower ids first on ties; those at -inf or NaN are left out.
std::vector<Candidate> mostProbable(std::span<const float> logProbabilities, int count);

// A run's decoder with what every way of searching needs: feeding tokens, reading log-probabilities, numbering steps.
class SearchRun
{
public:
    // encoded: null for a decoder-only model; prompt: what such a model reads, else empty. Everything but the model
    // must outlive the run.
    SearchRun(const SequenceModel& model, std::shared_ptr<const EncoderOutput> encoded, std::span<const TokenId> prompt,
              const GivenOutput& given, const DecodingOptions& options, RunContext& context);

    const ModelInfo& info() const { return m_info; }
    const DecodingOptions& options() const { return m_options; }
    DecoderState& state() { return *m_state; }
    int limit() const { return m_limit; } // most tokens to produce
    bool ends(TokenId token) const { return m_info.ends(token); }
    TokenId start() const { return (m_options.start ? m_options.start : m_info.decoderStart).value(); }

    // Feeds what the search starts from: the start token, or the prompt, whose tokens after the first become steps, and
    // the prefix, whose tokens do so too. Afterwards logProbabilities(0) are those of the first token to choose, if
    // there is one. Returns what was read: its last step, with the prefix's log-probabilities or, where nothing is
    // generated, the prompt's.
    Hypothesis begin();
    int prefixLength() const { return indexSize(m_prefix); }
    // Depth in the tree of the output's first token.
    int firstPosition() const { return m_prompt.empty() ? 0 : indexSize(m_prompt) - 1; }
    // Decoder-only: reads the last token of each hypothesis too, so that every token has its row.
    void close(std::span<const Hypothesis> hypotheses);

    // Feeds one token per live hypothesis; afterwards logProbabilities(hypothesis) can be asked.
    void feed(std::span<const TokenId> tokens);
    void feedAll(std::span<const TokenId> tokens); // many tokens to the one hypothesis; rows instead of hypotheses
    // Log probabilities after the last token fed to a hypothesis; tokens that are never produced at -inf. Of logits
    // that are NaN: all at -inf but the end token, at unknownLogProbability. output: the hypothesis's tokens so far.
    std::vector<float> logProbabilities(int hypothesis, std::span<const TokenId> output) const;
    // Tokens that lead to a step, with it; of a decoder-only model from the prompt's second on.
    std::vector<TokenId> tokensTo(std::optional<StepId> step) const;
    std::span<const float> logits(int row) const { return m_state->logits().row(row); }
    std::vector<float> logSoftmaxOf(int row) const { return logSoftmax(m_context.engine, logits(row)); }

    // Numbers the step, adds what follows from the rest, reports it. Returns its number. Throws Error{Cancelled}.
    StepId report(DecodingStep step);
    // Reports a token that continues a hypothesis, as one of those that `logs` are of, and adds it.
    void append(Hypothesis& hypothesis, int position, TokenId token, std::span<const float> logs)
    {
        append(hypothesis, position, token, logs, logs);
    }

private:
    void append(Hypothesis& hypothesis, int position, TokenId token, std::span<const float> logs,
                std::span<const float> choices);
    std::vector<float> choicesOf(std::span<const float> logits, std::span<const TokenId> output) const;
    TokenId given(int position) const;
    void addGiven(Hypothesis& read);
    void countFrom(Hypothesis& read, int position) const;
    void reportLogits(RunContext& context, const DecoderState& state, bool rowsAreHypotheses) const;
    void closeOne(std::optional<StepId> step);
    void sayClosed(std::optional<StepId> step, std::span<const float> logits);

    const SequenceModel& m_model;
    const ModelInfo& m_info;
    const DecodingOptions& m_options;
    RunContext& m_context;
    std::span<const TokenId> m_prompt; // decoder-only
    std::span<const TokenId> m_prefix;
    SpeechPrompt m_speechPrompt;
    std::unique_ptr<DecoderState> m_state;
    int m_limit = 0;
    int m_sourceLength = 0;
    bool m_manyRows = false; // the state's logits are those of many tokens of one hypothesis
    std::vector<std::pair<std::optional<StepId>, TokenId>> m_steps; // parent and token of each
};

// Each returns the hypotheses, best first, after having reported every step.
std::vector<Hypothesis> searchOne(SearchRun& run); // greedy or sampling
std::vector<Hypothesis> searchBeam(SearchRun& run);
std::vector<Hypothesis> followTarget(SearchRun& run, std::span<const TokenId> target);

} // namespace attn
