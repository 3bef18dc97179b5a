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

// A tokenizer that the window may ask, too: files choose what a tokenizer does with a text, for as long as limits let
// it and up to an error.
class WindowTokenizer final : public Tokenizer
{
public:
    explicit WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer);

    // On the window's thread: throws Error{Resource} where the tokenizer needs longer than a moment.
    Encoding encode(std::string_view text) const override;
    Encoding encodePair(std::string_view first, std::string_view second) const override;
    // Where the tokenizer fails at these ids, they have their pieces and no text; on the window's thread also where it
    // takes longer than a moment, or has done so shortly before, for whatever run. What another thread has asked for
    // lately is known. Throws Error{Cancelled} by the ThreadStop of another thread.
    Encoding describe(std::span<const TokenId> ids) const override;
    // Why something that another thread than the window's has asked for has pieces alone; none: nothing has.
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

    // What several ids are.
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
