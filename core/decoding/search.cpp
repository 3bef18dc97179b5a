// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/search.h"

#include "base/error.h"
#include "base/stop.h"
#include "decoding/distribution.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace attn {

SearchRun::SearchRun(const SequenceModel& model, std::shared_ptr<const EncoderOutput> encoded,
                     const DecodingOptions& options, RunContext& context)
    : m_info(model.info())
    , m_options(options)
    , m_context(context)
    , m_limit(std::min(options.maxLength, model.info().maximumLength.value_or(std::numeric_limits<int>::max())))
    , m_sourceLength(encoded->sourceLength())
{
    m_state = model.start(std::move(encoded), context);
}

void SearchRun::feed(std::span<const TokenId> tokens)
{
    throwIfStopped(m_context.stop);
    const int produced = m_state->position();
    m_context.sink.progressed(
        {static_cast<double>(produced) / (produced + m_sourceLength + 1), fmt::format("step {}", produced)});
    m_state->step(tokens, m_context);
    reportLogits(true);
}

void SearchRun::feedAll(std::span<const TokenId> tokens)
{
    throwIfStopped(m_context.stop);
    m_context.sink.progressed({0.5, fmt::format("{} given tokens", tokens.size())});
    m_state->extend(tokens, m_context);
    reportLogits(false);
}

void SearchRun::reportLogits(bool rowsAreHypotheses)
{
    if (!m_context.capture.logits)
        return;
    const MatrixView all = m_state->logits();
    if (!rowsAreHypotheses) {
        const auto size = static_cast<std::size_t>(all.rows) * static_cast<std::size_t>(all.columns);
        m_context.sink.logits({0, m_state->position() - all.rows, all.rows, all.columns, {all.data, size}});
        return;
    }
    for (int i = 0; i < all.rows; ++i)
        m_context.sink.logits({i, m_state->position() - 1, 1, all.columns, all.row(i)});
}

std::vector<float> SearchRun::logProbabilities(int row) const
{
    std::vector<float> result = logSoftmax(m_state->logits().row(row));
    removeTokens(result, m_info.badTokens);
    if (std::ranges::none_of(result, [](float value) { return std::isfinite(value); }))
        throw Error(ErrorKind::Format, "bad_words_ids", "leave no token to produce", "check the model's config.json");
    return result;
}

int SearchRun::report(DecodingStep step)
{
    throwIfStopped(m_context.stop);
    step.index = m_steps++;
    step.ends = ends(step.token);
    m_context.sink.stepped(step);
    return step.index;
}

} // namespace attn
