// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/window_tokenizer.h"

#include "base/thread_stop.h"
#include "run/user_message.h"

#include <QCoreApplication>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <optional>

namespace attn::ui {

namespace {

constexpr auto moment = std::chrono::milliseconds(100);
constexpr auto rest = 20 * moment; // after one that was too long
constexpr std::size_t mostKnown = 256;

bool isWindowThread()
{
    return QCoreApplication::instance() != nullptr
        && QThread::currentThread() == QCoreApplication::instance()->thread();
}

// On the window's thread; on others it has its time.
template<class Work>
Encoding withinAMoment(const Work& work)
{
    if (!isWindowThread())
        return work();
    const ThreadStop ofTexts(std::chrono::steady_clock::now() + moment);
    return work();
}

// Nobody has cancelled what has no more time.
template<class Work>
Encoding readWithinAMoment(const Work& work)
{
    try {
        return withinAMoment(work);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Cancelled || !isWindowThread())
            throw;
        throw Error(ErrorKind::Resource, "text", "takes the model's tokenizer too long", "shorten it");
    }
}

} // namespace

WindowTokenizer::WindowTokenizer(std::shared_ptr<const Tokenizer> tokenizer)
    : m_tokenizer(std::move(tokenizer))
{
}

Encoding WindowTokenizer::encode(std::string_view text) const
{
    return readWithinAMoment([&] { return m_tokenizer->encode(text); });
}

Encoding WindowTokenizer::encodePair(std::string_view first, std::string_view second) const
{
    return readWithinAMoment([&] { return m_tokenizer->encodePair(first, second); });
}

Encoding WindowTokenizer::describe(std::span<const TokenId> ids) const
{
    {
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::ranges::find_if(m_known, [ids](const auto& known) { return std::ranges::equal(known.first, ids); });
        if (found != m_known.end())
            return found->second;
        if (m_problem || (isWindowThread() && std::chrono::steady_clock::now() < m_nextTry))
            return pieces(ids);
    }
    std::optional<Encoding> found;
    const auto error = caught([&] { found = withinAMoment([&] { return described(ids); }); });
    if (!error)
        return *std::move(found);
    const bool isCancelled = error->kind() == ErrorKind::Cancelled;
    if (isCancelled && !isWindowThread())
        throw Error(*error);
    const std::lock_guard lock(m_mutex);
    if (isCancelled)
        m_nextTry = std::chrono::steady_clock::now() + rest;
    else
        m_problem = error;
    return pieces(ids);
}

std::optional<Error> WindowTokenizer::problem() const
{
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

Encoding WindowTokenizer::described(std::span<const TokenId> ids) const
{
    Encoding found = m_tokenizer->describe(ids);
    const std::lock_guard lock(m_mutex);
    if (ids.size() == 1) {
        m_pieces[ids.front()] = {found.tokens.front(), found.labels.empty() ? std::string() : found.labels.front()};
        return found;
    }
    m_known.emplace_front(std::vector(ids.begin(), ids.end()), found);
    if (m_known.size() > mostKnown)
        m_known.pop_back();
    return found;
}

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
