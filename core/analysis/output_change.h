// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "tensor/number_view.h"
#include "trace/trace.h"
#include "trace/trace_sink.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Change of the distributions p of an output's places when the model is changed, q, summed over the places.
struct OutputChange
{
    double divergence = 0; // KL(p || q), nats
    double logProbability = 0; // of what stands there: log q - log p
    std::int64_t places = 0;

    // Per place; none without any.
    std::optional<double> meanDivergence() const
    {
        return places > 0 ? std::optional(divergence / static_cast<double>(places)) : std::nullopt;
    }

    OutputChange& operator+=(const OutputChange& other)
    {
        divergence += other.divergence;
        logProbability += other.logProbability;
        places += other.places;
        return *this;
    }
    friend bool operator==(const OutputChange&, const OutputChange&) = default;
};

// Distributions that a model expects at the places of an output, with what stands there.
class OutputDistributions
{
public:
    // logits: [places or more, vocabulary], the further rows are passed over. tokens: of each place, within the
    // vocabulary.
    OutputDistributions(NumberView logits, std::vector<int> tokens);

    // Change to other logits of the same shape. NaN where logits are NaN.
    OutputChange changeTo(NumberView logits) const;

private:
    std::vector<int> m_tokens;
    Numbers m_logits; // [places, vocabulary]
    Numbers m_probabilities;
    std::vector<double> m_normalizers; // log of the sum of exp(logits), of each place
};

// Tokens of an answer.
struct AnswerSpan
{
    Index first = 0;
    Index last = 0; // included
    float score = 0; // the start's logit and the end's
    double probability = 0; // of its start times that of its end, each among the tokens that may be chosen
};

// The best spans, so many at most, the best first, of equals the first: of at most 15 tokens, in the second text or,
// where there is one, among the tokens that are not special. None where no token may be chosen, or every logit is NaN.
std::vector<AnswerSpan> bestSpans(const TokenPredictions& predictions, const Encoding& source, std::size_t most);

// The best of all.
std::optional<AnswerSpan> bestSpan(const TokenPredictions& predictions, const Encoding& source);

// The part of the text, or where it is not known the tokens with blanks between.
std::string textOf(const Encoding& source, const AnswerSpan& span);

// The position in a path of the step whose next token the model was least sure of: with the largest entropy of its
// candidates, what they leave over counted as one more. The first on ties; 0 where no candidates are known.
// A step with a probability that is NaN is passed over.
int mostUncertainStep(const Trace::Path& path);

} // namespace attn
