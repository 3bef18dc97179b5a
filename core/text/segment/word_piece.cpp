// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/word_piece.h"

#include "base/error.h"
#include "base/index.h"
#include "text/unicode/aligned_text.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

TokenId requireUnknown(const Vocabulary& vocabulary, const std::string& unknown, const std::string& where)
{
    const auto id = vocabulary.find(unknown);
    if (!id)
        throw Error(ErrorKind::Format, where, fmt::format("its vocabulary lacks the unknown token \"{}\"", unknown));
    return *id;
}

std::size_t characterCount(std::string_view text)
{
    std::size_t count = 0;
    forEachCharacter(text, [&](const Character&) { ++count; });
    return count;
}

} // namespace

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options, const std::string& where)
    : m_vocabulary(std::move(vocabulary))
    , m_options(std::move(options))
    , m_unknown(requireUnknown(m_vocabulary, m_options.unknown, where))
{
    std::vector<PrefixIndex::Entry> starts;
    std::vector<PrefixIndex::Entry> continuations;
    for (Index id = 0; id < indexSize(m_vocabulary); ++id)
        m_pieces.push_back(m_vocabulary.piece(id));
    for (Index i = 0; i < indexSize(m_pieces); ++i) {
        const std::string_view piece = m_pieces[i];
        const auto id = i;
        if (m_vocabulary.find(piece) != id) // a gap, or a piece that came before
            continue;
        starts.push_back({piece, id});
        if (piece.starts_with(m_options.continuation))
            continuations.push_back({piece.substr(m_options.continuation.size()), id});
    }
    m_starts = PrefixIndex(std::move(starts), where);
    m_continuations = PrefixIndex(std::move(continuations), where);
}

void WordPiece::cut(std::string_view word, std::vector<Subword>& subwords) const
{
    const std::size_t before = subwords.size();
    bool found = characterCount(word) <= m_options.longestWord;
    for (std::size_t begin = 0; found && begin < word.size();) {
        const PrefixIndex& index = begin == 0 ? m_starts : m_continuations;
        Subword longest{m_unknown, {begin, begin}};
        index.visitPrefixes(word.substr(begin), [&](std::size_t length, int id) {
            longest = {id, {begin, begin + length}};
        });
        found = longest.range.end > begin;
        if (found)
            subwords.push_back(longest);
        begin = longest.range.end;
    }
    if (found)
        return;
    subwords.resize(before);
    if (!word.empty())
        subwords.push_back({m_unknown, {0, word.size()}});
}

std::string WordPiece::description() const
{
    return fmt::format("WordPiece, {} pieces", m_vocabulary.size());
}

WordLookup::WordLookup(Vocabulary vocabulary, const std::string& unknown, const std::string& where)
    : m_vocabulary(std::move(vocabulary))
    , m_unknown(requireUnknown(m_vocabulary, unknown, where))
{
}

void WordLookup::cut(std::string_view word, std::vector<Subword>& subwords) const
{
    if (!word.empty())
        subwords.push_back({m_vocabulary.find(word).value_or(m_unknown), {0, word.size()}});
}

std::string WordLookup::description() const
{
    return fmt::format("word list, {} words", m_vocabulary.size());
}

} // namespace attn
