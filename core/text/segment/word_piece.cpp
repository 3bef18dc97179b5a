// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "text/segment/prefix_index.h"
#include "text/segment/subword_model.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

class WordPiece final : public SubwordModel
{
public:
    WordPiece(const SharedVocabulary& pieces, WordPieceOptions options, const std::string& where)
        : SubwordModel(pieces, fmt::format("WordPiece, {} pieces", pieces->size()))
        , m_options(std::move(options))
        , m_unknown(pieces->requireUnknown(m_options.unknown, where))
    {
        std::vector<PrefixIndex::Entry> starts;
        std::vector<PrefixIndex::Entry> continuations;
        for (Index id = 0; id < indexSize(*pieces); ++id) {
            const std::string_view piece = pieces->pieces()[id];
            if (pieces->find(piece) != id) // a gap, or a piece that came before
                continue;
            starts.push_back({piece, id});
            if (piece.starts_with(m_options.continuation))
                continuations.push_back({piece.substr(m_options.continuation.size()), id});
        }
        m_starts = PrefixIndex(std::move(starts), where);
        m_continuations = PrefixIndex(std::move(continuations), where);
    }

    void cut(const AlignedText& stretch, std::vector<Subword>& subwords) const override
    {
        const std::string_view word = stretch.text();
        const std::size_t before = subwords.size();
        std::size_t length = 0;
        forEachCharacter(word, [&](const Character&) { ++length; });
        bool found = length <= m_options.longestWord;
        for (std::size_t begin = 0; found && begin < word.size();) {
            const PrefixIndex& index = begin == 0 ? m_starts : m_continuations;
            Subword longest{m_unknown, {begin, begin}};
            index.visitPrefixes(word.substr(begin), [&](std::size_t matched, int id) {
                longest = {id, {begin, begin + matched}};
            });
            found = longest.range.end > begin;
            if (found)
                subwords.push_back(longest);
            begin = longest.range.end;
        }
        if (found)
            return;
        subwords.resize(before);
        subwords.push_back({m_unknown, {0, word.size()}});
    }

private:
    WordPieceOptions m_options;
    TokenId m_unknown;
    PrefixIndex m_starts; // pieces that start a word
    PrefixIndex m_continuations; // the others, without their mark
};

class WordList final : public SubwordModel
{
public:
    WordList(const SharedVocabulary& words, TokenId unknown, std::set<TokenId> silent)
        : SubwordModel(words, fmt::format("word list, {} words", words->size()))
        , m_unknown(unknown)
        , m_silent(std::move(silent))
    {
    }

    void cut(const AlignedText& word, std::vector<Subword>& subwords) const override
    {
        const auto id = vocabulary().find(word.text());
        if (!word.empty())
            subwords.push_back({id && !m_silent.contains(*id) ? *id : m_unknown, {0, word.size()}});
    }

private:
    TokenId m_unknown;
    std::set<TokenId> m_silent;
};

} // namespace

std::shared_ptr<const SubwordModel> wordPieceModel(const SharedVocabulary& vocabulary, WordPieceOptions options,
                                                   const std::string& where)
{
    return std::make_shared<const WordPiece>(vocabulary, std::move(options), where);
}

std::shared_ptr<const SubwordModel> wordListModel(const SharedVocabulary& vocabulary, TokenId unknown,
                                                  std::set<TokenId> silent)
{
    return std::make_shared<const WordList>(vocabulary, unknown, std::move(silent));
}

} // namespace attn
