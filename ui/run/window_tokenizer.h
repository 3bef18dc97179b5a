// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

#include <cstddef>
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

    Encoding encode(std::string_view text) const override { return m_tokenizer->encode(text); }
    Encoding encodePair(std::string_view first, std::string_view second) const override
    {
        return m_tokenizer->encodePair(first, second);
    }
    // Where the tokenizer fails, ids are named one by one, by their numbers if need be, and there is no text. Throws
    // Error{Cancelled} by ThreadStop.
    Encoding describe(std::span<const TokenId> ids) const override;
    std::optional<Error> problem() const; // the last one
    std::string description() const override { return m_tokenizer->description(); }
    NamedTokens namedTokens() const override { return m_tokenizer->namedTokens(); }

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    mutable std::mutex m_mutex; // held while what follows is looked at
    mutable std::map<std::vector<TokenId>, Encoding> m_known;
    mutable std::size_t m_tokensKnown = 0; // in all of them
    mutable std::optional<Error> m_problem;
};

} // namespace attn::ui
