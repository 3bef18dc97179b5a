// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/window_tokenizer.h"

#include "run/user_message.h"

#include <cstddef>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t mostTokensKnown = 65'536; // some 100 bytes each

// What goes wrong, but for a run that is cancelled.
template<class Work>
std::optional<Error> tolerated(const Work& work)
{
    const std::optional<Error> problem = caught(work);
    if (problem && problem->kind() == ErrorKind::Cancelled)
        throw Error(*problem);
    return problem;
}

} // namespace

WindowTokenizer::WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer)
    : m_tokenizer(std::move(tokenizer))
{
}

Encoding WindowTokenizer::describe(std::span<const TokenId> ids) const
{
    const std::vector<TokenId> asked(ids.begin(), ids.end());
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_known.find(asked); known != m_known.end())
            return known->second;
    }
    Encoding found;
    const std::optional<Error> problem = tolerated([&] { found = m_tokenizer->describe(ids); });
    if (problem) {
        found = plainEncoding(asked);
        for (std::size_t i = 0; i < ids.size() && ids.size() > 1; ++i)
            (void)tolerated([&] { found.tokens[i] = m_tokenizer->describe(ids.subspan(i, 1)).tokens.at(0); });
    }
    const std::lock_guard lock(m_mutex);
    if (problem)
        m_problem = problem;
    if (m_tokensKnown + ids.size() > mostTokensKnown) {
        m_known.clear();
        m_tokensKnown = 0;
    }
    m_tokensKnown += ids.size();
    m_known.emplace(asked, found);
    return found;
}

std::optional<Error> WindowTokenizer::problem() const
{
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

} // namespace attn::ui
