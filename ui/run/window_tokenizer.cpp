// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/window_tokenizer.h"

#include "run/user_message.h"

#include <QCoreApplication>
#include <QThread>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t leastKnown = 3; // ways in which the best output is asked for
constexpr std::size_t mostKnown = 256;
constexpr std::size_t mostTokensKnown = 65'536; // some 100 bytes each

bool isWindowThread()
{
    return QCoreApplication::instance() != nullptr
        && QThread::currentThread() == QCoreApplication::instance()->thread();
}

} // namespace

WindowTokenizer::WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer)
    : m_tokenizer(std::move(tokenizer))
{
}

Encoding WindowTokenizer::encode(std::string_view text) const
{
    return m_tokenizer->encode(text);
}

Encoding WindowTokenizer::encodePair(std::string_view first, std::string_view second) const
{
    return m_tokenizer->encodePair(first, second);
}

Encoding WindowTokenizer::describe(std::span<const TokenId> ids) const
{
    {
        const std::lock_guard lock(m_mutex);
        const auto known = std::ranges::find_if(
            m_known, [ids](const Known& candidate) { return std::ranges::equal(candidate.ids, ids); });
        const auto piece = ids.size() == 1 ? m_pieces.find(ids.front()) : m_pieces.end();
        const bool failed = piece != m_pieces.end() && piece->second.problem;
        if (known != m_known.end() || failed) {
            const std::optional<Error>& problem = failed ? piece->second.problem : known->problem;
            if (problem && !isWindowThread())
                m_problem = problem;
            return failed ? pieces(ids) : known->encoding;
        }
    }
    return read(ids);
}

std::optional<Error> WindowTokenizer::problem() const
{
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

Encoding WindowTokenizer::read(std::span<const TokenId> ids) const
{
    Known known{{ids.begin(), ids.end()}, {}, {}};
    known.problem = caught([&] { known.encoding = m_tokenizer->describe(ids); });
    if (known.problem && known.problem->kind() == ErrorKind::Cancelled)
        throw Error(*known.problem);
    if (known.problem && ids.size() > 1) {
        for (const TokenId& id : ids) {
            if (!hasPiece(id))
                (void)read({&id, 1});
        }
    }
    const std::lock_guard lock(m_mutex);
    if (known.problem && !isWindowThread())
        m_problem = known.problem;
    if (ids.size() == 1) {
        const Encoding& one = known.encoding;
        m_pieces[ids.front()] = known.problem
            ? Piece{unknownPiece(ids.front()), {}, known.problem}
            : Piece{one.tokens.front(), one.labels.empty() ? std::string() : one.labels.front()};
    }
    if (known.problem)
        known.encoding = pieces(ids);
    Encoding found = known.encoding;
    if (ids.size() != 1)
        keep(std::move(known));
    return found;
}

bool WindowTokenizer::hasPiece(TokenId id) const
{
    const std::lock_guard lock(m_mutex);
    return m_pieces.contains(id);
}

// With the mutex held.
void WindowTokenizer::keep(Known known) const
{
    m_tokensKnown += known.ids.size();
    m_known.push_front(std::move(known));
    while (m_known.size() > leastKnown && (m_known.size() > mostKnown || m_tokensKnown > mostTokensKnown)) {
        m_tokensKnown -= m_known.back().ids.size();
        m_known.pop_back();
    }
}

// With the mutex held.
Encoding WindowTokenizer::pieces(std::span<const TokenId> ids) const
{
    Encoding result;
    bool labelled = false;
    for (const TokenId id : ids) {
        const auto found = m_pieces.find(id);
        const Piece piece = found == m_pieces.end() ? Piece{unknownPiece(id), {}} : found->second;
        labelled = labelled || !piece.label.empty();
        result.ids.push_back(id);
        result.tokens.push_back(piece.token);
        result.labels.push_back(piece.label.empty() ? piece.token : piece.label);
    }
    if (!labelled)
        result.labels.clear();
    return result;
}

} // namespace attn::ui
