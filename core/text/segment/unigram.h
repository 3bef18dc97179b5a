// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/prefix_index.h"
#include "text/segment/subword_model.h"

#include <optional>
#include <utility>

namespace attn {

// The most probable sequence of pieces (Kudo 2018), by Viterbi's algorithm. Neighbouring unknown characters become one
// token.
class Unigram final : public SubwordModel
{
public:
    using Scored = std::pair<std::string, double>; // log probability

    // Pieces in the order of their ids. Throws Error{Format}.
    Unigram(const std::vector<Scored>& pieces, std::optional<TokenId> unknown, bool byteFallback,
            const std::string& where);

    // Throws Error{Input} for a character outside a vocabulary without an unknown token.
    void cut(std::string_view text, std::vector<Subword>& subwords) const override;
    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::string description() const override;
    bool hasByteFallback() const override { return m_byteFallback; }

private:
    void appendUnknown(std::string_view text, ByteSpan range, std::vector<Subword>& subwords) const;

    Vocabulary m_vocabulary;
    std::vector<double> m_scores;
    std::vector<std::string> m_keys;
    PrefixIndex m_index;
    std::optional<TokenId> m_unknown;
    double m_unknownScore = 0;
    bool m_byteFallback;
};

} // namespace attn
