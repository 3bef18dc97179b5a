// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::ui {

// A tokenizer that fails at no ids, as files can make one do, and remembers those that it has described.
class WindowTokenizer final : public Tokenizer
{
public:
    explicit WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer);

    Encoding encode(std::string_view text) const override;
    Encoding encodePair(std::string_view first, std::string_view second) const override;
    // Where the tokenizer fails at these ids, they have their pieces and no text. Throws Error{Cancelled} by
    // ThreadStop.
    Encoding describe(std::span<const TokenId> ids) const override;
    // The error for which something that a run has asked for, not the window, has pieces alone; none: nothing has.
    std::optional<Error> problem() const;
    std::string description() const override { return m_tokenizer->description(); }
    NamedTokens namedTokens() const override { return m_tokenizer->namedTokens(); }

private:
    struct Piece
    {
        std::string token;
        std::string label; // empty where the tokenizer has none
        std::optional<Error> problem = {}; // then nobody knows it
    };

    // Description of several ids.
    struct Known
    {
        std::vector<TokenId> ids;
        Encoding encoding;
        std::optional<Error> problem; // then these are pieces
    };

    Encoding read(std::span<const TokenId> ids) const; // pieces where that fails; throws Error{Cancelled}
    bool hasPiece(TokenId id) const;
    void keep(Known known) const;
    Encoding pieces(std::span<const TokenId> ids) const;

    std::shared_ptr<const Tokenizer> m_tokenizer;
    mutable std::mutex m_mutex; // held while what follows is looked at
    mutable std::deque<Known> m_known; // most recent first
    mutable std::size_t m_tokensKnown = 0; // in all of them
    mutable std::map<TokenId, Piece> m_pieces;
    mutable std::optional<Error> m_problem;
};

} // namespace attn::ui
