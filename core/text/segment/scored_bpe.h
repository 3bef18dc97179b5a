// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/subword_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

// SentencePiece's byte pair encoding: two neighbours merge when the vocabulary has their joined text, the piece with
// the highest score first. Characters outside become "<0x..>" pieces or unknown.
class ScoredBpe final : public SubwordModel
{
public:
    // One score per piece. Throws Error{Format} for another number of them, or one that is no number.
    ScoredBpe(Vocabulary vocabulary, const std::vector<float>& scores, std::optional<TokenId> unknown,
              const std::string& where);

    void cut(std::string_view text, std::vector<Subword>& subwords) const override;
    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::string description() const override;
    bool hasByteFallback() const override { return m_hasBytes; }

private:
    Vocabulary m_vocabulary;
    std::vector<std::uint32_t> m_ranks; // by id; equal scores share one
    std::optional<TokenId> m_unknown;
    bool m_hasBytes;
};

} // namespace attn
