// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace attn::ui {

// A tokenizer that the window may ask, too: files choose what a tokenizer does with a text, for as long as limits let
// it and up to an error. Other threads get the same as from the tokenizer itself.
class WindowTokenizer final : public Tokenizer
{
public:
    explicit WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer);

    // On the window's thread: throws Error{Resource} where the tokenizer needs longer than a moment.
    Encoding encode(std::string_view text) const override;
    Encoding encodePair(std::string_view first, std::string_view second) const override;
    // On the window's thread: never throws. What another thread has asked for lately is known; where the tokenizer
    // failed or took longer than a moment, then or before, the ids have their pieces and no text.
    Encoding describe(std::span<const TokenId> ids) const override;
    std::string description() const override { return m_tokenizer->description(); }
    NamedTokens namedTokens() const override { return m_tokenizer->namedTokens(); }

private:
    struct Piece
    {
        std::string token;
        std::string label; // empty where the tokenizer has none
    };

    Encoding described(std::span<const TokenId> ids) const; // keeps it
    Encoding pieces(std::span<const TokenId> ids) const;

    std::shared_ptr<const Tokenizer> m_tokenizer;
    mutable std::mutex m_mutex; // held while what follows is looked at
    mutable std::deque<std::pair<std::vector<TokenId>, Encoding>> m_known; // most recent first
    mutable std::map<TokenId, Piece> m_pieces;
    mutable bool m_isSlow = false; // or fails
};

} // namespace attn::ui
