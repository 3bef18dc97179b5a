// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

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
    // Where the tokenizer fails, the ids have their pieces and no text; on the window's thread also where it takes
    // longer than a moment, or has done so shortly before. What another thread has asked for lately is known.
    // Throws Error{Cancelled} by the ThreadStop of another thread.
    Encoding describe(std::span<const TokenId> ids) const override;
    // Why ids have pieces alone, on whatever thread; none: they need not.
    std::optional<Error> problem() const;
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
    mutable std::optional<Error> m_problem;
    mutable std::chrono::steady_clock::time_point m_nextTry; // by the window
};

} // namespace attn::ui
