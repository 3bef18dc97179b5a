// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

// What becomes of the distributions p of an output's places when the model is changed, q, summed over the places.
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

// What a model expects at the places of an output, with what stands there.
class OutputDistributions
{
public:
    // logits: [places or more, vocabulary], the further rows are passed over. tokens: of each place, within the
    // vocabulary.
    OutputDistributions(NumberView logits, std::vector<int> tokens);

    // To what other logits of the same shape say. NaN where logits are no numbers.
    OutputChange changeTo(NumberView logits) const;

private:
    std::vector<int> m_tokens;
    Numbers m_logits; // [places, vocabulary]
    Numbers m_probabilities;
    std::vector<double> m_normalizers; // log of the sum of exp(logits), of each place
};

} // namespace attn
