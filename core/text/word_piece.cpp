// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/word_piece.h"

#include "base/error.h"
#include "text/aligned_text.h"

#include <algorithm>
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

// Byte positions at which the characters of a text end.
std::vector<std::size_t> characterEnds(std::string_view text)
{
    std::vector<std::size_t> ends;
    forEachCharacter(text, [&](const Character& character) { ends.push_back(character.range.end); });
    return ends;
}

} // namespace

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options, const std::string& where)
    : m_vocabulary(std::move(vocabulary))
    , m_options(std::move(options))
    , m_unknown(requireUnknown(m_vocabulary, m_options.unknown, where))
{
    for (std::size_t id = 0; id < m_vocabulary.size(); ++id)
        m_longestPiece = std::max(m_longestPiece, m_vocabulary.piece(static_cast<TokenId>(id)).size());
}

void WordPiece::cut(std::string_view word, std::vector<Subword>& subwords) const
{
    const std::size_t before = subwords.size();
    const std::vector<std::size_t> ends = characterEnds(word);
    std::string candidate;
    std::size_t begin = 0;
    std::size_t character = 0;
    bool found = ends.size() <= m_options.longestWord;
    while (found && begin < word.size()) {
        found = false;
        for (std::size_t last = ends.size(); last > character && !found; --last) {
            const std::size_t length = ends[last - 1] - begin;
            if (length > m_longestPiece)
                continue;
            candidate = begin > 0 ? m_options.continuation : std::string{};
            candidate += word.substr(begin, length);
            if (const auto id = m_vocabulary.find(candidate)) {
                subwords.push_back({*id, {begin, ends[last - 1]}});
                begin = ends[last - 1];
                character = last;
                found = true;
            }
        }
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
