// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/search.h"

#include "base/error.h"
#include "base/index.h"
#include "decoding/sampling.h"
#include "nn/normalization.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

std::vector<Candidate> knownOnes(std::vector<Candidate> candidates)
{
    std::erase_if(candidates, [](const Candidate& candidate) { return std::isnan(known(candidate.logProbability)); });
    return candidates;
}

} // namespace

SearchRun::SearchRun(const SequenceModel& model, std::shared_ptr<const EncoderOutput> encoded,
                     std::span<const TokenId> prompt, const GivenOutput& given, const DecodingOptions& options,
                     RunContext& context)
    : m_model(model)
    , m_info(model.info())
    , m_options(options)
    , m_context(context)
    , m_prompt(prompt)
    , m_prefix(given.prefix)
    , m_speechPrompt(given.prompt)
    , m_limit(outputLimit(m_info, options, indexSize(prompt)))
    , m_sourceLength(encoded ? encoded->sourceLength() : indexSize(prompt))
{
    m_state = model.start(std::move(encoded), context);
}

Hypothesis SearchRun::begin()
{
    Hypothesis read;
    if (m_prompt.empty()) {
        const TokenId first = start();
        feed({&first, 1});
    } else {
        feedAll(m_prompt);
    }
    addGiven(read);
    // The last token of a prefix that leaves room for no other is read like the last of any output.
    const int all = firstPosition() + prefixLength();
    const int inputs = prefixLength() < m_limit ? all + 1 : all;
    std::vector<TokenId> unread;
    for (int input = m_state->position(); input < inputs; ++input)
        unread.push_back(given(input - 1));
    if (!unread.empty()) {
        feedAll(unread);
        addGiven(read);
    }
    countFrom(read, all);
    const int length = m_limit > 0 ? prefixLength() : firstPosition();
    read.score = length > 0 ? read.sum / length : 0;
    return read;
}

// The token that stands at a depth of the tree: the prompt's after its first, then the prefix's.
TokenId SearchRun::given(int position) const
{
    return position < firstPosition() ? m_prompt[position + 1] : m_prefix[position - firstPosition()];
}

// The log-probabilities of an output begin with its own.
void SearchRun::countFrom(Hypothesis& read, int position) const
{
    if (position == firstPosition() && m_limit > 0)
        read.sum = 0;
}

// Reports the given tokens that what was fed last predicts.
void SearchRun::addGiven(Hypothesis& read)
{
    const int rows = m_state->logits().rows;
    const int first = m_state->position() - rows;
    const int all = firstPosition() + prefixLength();
    for (int position = std::max(first, indexSize(m_steps)); position < std::min(first + rows, all); ++position) {
        countFrom(read, position);
        const auto row = logits(position - first);
        const std::vector<float> logs = logSoftmax(m_context.engine, row);
        if (position < firstPosition())
            append(read, position, given(position), logs);
        else // its log-probability is the model's own, whatever may be chosen there
            append(read, position, given(position), logs, choicesOf(row, tokensTo(read.step)));
    }
}

std::vector<TokenId> SearchRun::tokensTo(std::optional<StepId> step) const
{
    std::vector<TokenId> tokens;
    for (; step; step = m_steps[numberOf(*step)].first)
        tokens.push_back(m_steps[numberOf(*step)].second);
    std::ranges::reverse(tokens);
    return tokens;
}

void SearchRun::closeOne(std::optional<StepId> step)
{
    throwIfStopped(m_context.stop);
    std::vector<TokenId> tokens = tokensTo(step);
    tokens.insert(tokens.begin(), m_prompt.front());
    const std::span<const TokenId> all = tokens;
    const bool isRead = m_state->position() == indexSize(all); // nothing was generated
    if (!isRead && m_options.search != Search::Beam)
        feed(all.last(1));
    if (isRead || m_options.search != Search::Beam)
        return sayClosed(step, m_state->logits().row(m_manyRows ? m_state->logits().rows - 1 : 0));
    // The other hypotheses have left the state.
    RunContext quiet = m_context;
    quiet.capture = {false, false, false, false};
    const auto state = m_model.start(nullptr, quiet);
    state->extend(all.first(all.size() - 1), quiet);
    state->step(all.last(1), m_context);
    reportLogits(m_context, *state, true);
    sayClosed(step, state->logits().row(0));
}

void SearchRun::sayClosed(std::optional<StepId> step, std::span<const float> logits)
{
    m_context.sink.closed(step, 0, knownOnes(mostProbable(choicesOf(logits, tokensTo(step)), m_options.candidates)));
}

void SearchRun::close(std::span<const Hypothesis> hypotheses)
{
    if (m_prompt.empty())
        return;
    for (const Hypothesis& hypothesis : hypotheses)
        closeOne(hypothesis.step);
}

void SearchRun::feed(std::span<const TokenId> tokens)
{
    throwIfStopped(m_context.stop);
    const int produced = m_state->position();
    m_context.sink.progressed({produced / (produced + m_sourceLength + 1.0), Progress::Part::Step, produced});
    m_state->step(tokens, m_context);
    m_manyRows = false;
    reportLogits(m_context, *m_state, true);
}

void SearchRun::feedAll(std::span<const TokenId> tokens)
{
    throwIfStopped(m_context.stop);
    m_context.sink.progressed({0.5, Progress::Part::GivenTokens, 0, indexSize(tokens)});
    m_state->extend(tokens, m_context);
    m_manyRows = true;
    reportLogits(m_context, *m_state, false);
}

void SearchRun::reportLogits(RunContext& context, const DecoderState& state, bool rowsAreHypotheses) const
{
    if (!context.capture.logits)
        return;
    const NumberView all = state.logits();
    if (!rowsAreHypotheses) {
        context.sink.logits({0, state.position() - all.rows, all});
        return;
    }
    for (int i = 0; i < all.rows; ++i)
        context.sink.logits({i, state.position() - 1, all.rowRange(i, 1)});
}

std::vector<float> SearchRun::logProbabilities(int hypothesis, std::span<const TokenId> output) const
{
    const NumberView rows = m_state->logits();
    std::vector<float> result = choicesOf(rows.row(m_manyRows ? rows.rows - 1 : hypothesis), output);
    if (std::ranges::none_of(result, [](float value) { return std::isfinite(value); }))
        throw Error(ErrorKind::Format, m_info.speech ? "suppress_tokens" : "bad_words_ids", "leave no token to produce",
                    "check the model's config.json");
    return result;
}

// Log-probabilities with what is not chosen at -inf.
std::vector<float> SearchRun::choicesOf(std::span<const float> logits, std::span<const TokenId> output) const
{
    std::vector<float> result = logSoftmax(m_context.engine, logits);
    if (std::isnan(result.front())) {
        keepOnly(result, m_info.endToken.value_or(0));
        result[m_info.endToken.value_or(0)] = unknownLogProbability;
        return result;
    }
    removeTokens(result, m_info.badTokens);
    if (m_info.speech && indexSize(output) >= m_speechPrompt.length)
        applySpeechRules(result, *m_info.speech, output.subspan(static_cast<std::size_t>(m_speechPrompt.length)),
                         m_speechPrompt.withTimes);
    const auto first = m_options.firstToken ? m_options.firstToken : m_info.firstToken;
    if (first && m_prompt.empty() && m_state->position() == 1)
        keepOnly(result, *first);
    return result;
}

void SearchRun::append(Hypothesis& hypothesis, int position, TokenId token, std::span<const float> logs,
                       std::span<const float> choices)
{
    DecodingStep step;
    step.parent = hypothesis.step;
    step.position = position;
    step.token = token;
    step.logProbability = logs[token];
    hypothesis.sum += step.logProbability;
    step.score = static_cast<float>(hypothesis.sum);
    step.candidates = mostProbable(choices, m_options.candidates);
    hypothesis.step = report(std::move(step));
}

StepId SearchRun::report(DecodingStep step)
{
    throwIfStopped(m_context.stop);
    step.index = StepId{indexSize(m_steps)};
    m_steps.emplace_back(step.parent, step.token);
    step.ends = ends(step.token);
    step.logProbability = known(step.logProbability);
    step.score = known(step.score);
    step.candidates = knownOnes(std::move(step.candidates));
    m_context.sink.stepped(step);
    return step.index;
}

std::vector<float> logSoftmax(Engine& engine, std::span<const float> logits)
{
    std::vector<float> result(logits.size());
    logSoftmax(engine, logits, result);
    return result;
}

void removeTokens(std::vector<float>& logProbabilities, std::span<const TokenId> tokens)
{
    for (const TokenId token : tokens) {
        if (token >= 0 && token < indexSize(logProbabilities))
            logProbabilities[token] = -std::numeric_limits<float>::infinity();
    }
}

void keepOnly(std::vector<float>& logProbabilities, TokenId token)
{
    const float value = logProbabilities.at(token);
    std::ranges::fill(logProbabilities, -std::numeric_limits<float>::infinity());
    logProbabilities[token] = value;
}

std::vector<Candidate> mostProbable(std::span<const float> logProbabilities, int count)
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto better = [](const Candidate& a, const Candidate& b) {
        return a.logProbability != b.logProbability ? a.logProbability > b.logProbability : a.token < b.token;
    };
    std::vector<Candidate> kept; // a heap with the worst at its front
    float beaten = count > 0 ? -infinity : infinity; // what does not exceed it is not among them; nor is NaN
    for (TokenId token = 0; token < indexSize(logProbabilities); ++token) {
        const float value = logProbabilities[token];
        if (!(value > beaten) || value == infinity)
            continue;
        if (indexSize(kept) == count) {
            std::ranges::pop_heap(kept, better);
            kept.pop_back();
        }
        kept.push_back({token, value});
        std::ranges::push_heap(kept, better);
        if (indexSize(kept) == count)
            beaten = kept.front().logProbability; // of equal ones the first stay
    }
    std::ranges::sort_heap(kept, better);
    return kept;
}

} // namespace attn
