// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/subword_model.h"

#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/segment/prefix_index.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn {

SubwordModel::SubwordModel(SharedVocabulary vocabulary, std::string description, bool hasByteFallback)
    : m_vocabulary(std::move(vocabulary))
    , m_description(std::move(description))
{
    for (int byte = 0; hasByteFallback && byte < 256; ++byte)
        m_bytes.push_back(m_vocabulary->find(fmt::format("<0x{:02X}>", byte)));
}

bool SubwordModel::appendBytes(std::string_view text, ByteSpan character, std::vector<Subword>& subwords) const
{
    const auto idAt = [&](std::size_t i) { return m_bytes[static_cast<unsigned char>(text[i])]; };
    for (std::size_t i = character.begin; i < character.end; ++i)
        if (!hasByteFallback() || !idAt(i))
            return false;
    for (std::size_t i = character.begin; i < character.end; ++i)
        subwords.push_back({*idAt(i), {i, i + 1}});
    return true;
}

std::optional<Merge> mergeIn(std::string_view line)
{
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
        return std::nullopt;
    return Merge(line.substr(0, blank), line.substr(blank + 1));
}

namespace {

// The best way to reach a position.
struct BestPath
{
    double score = 0;
    std::size_t from = 0;
    TokenId id = 0;
    bool isReached = false;
};

class Unigram final : public SubwordModel
{
public:
    Unigram(ScoredPieces pieces, UnigramOptions options, const std::string& where)
        : SubwordModel(pieces.vocabulary, fmt::format("Unigram, {} pieces", pieces.scores.size()), options.byteFallback)
        , m_scores(std::move(pieces.scores))
        , m_options(options)
    {
        constexpr double unknownPenalty = 10; // below the least probable piece
        constexpr double userDefinedPenalty = 0.1;
        double least = std::numeric_limits<float>::max();
        float most = std::numeric_limits<float>::min(); // SentencePiece begins with it
        for (Index id = 0; id < indexSize(m_scores); ++id) {
            if (std::isnan(m_scores[id]))
                throw Error(ErrorKind::Format, where, "has a score that is NaN");
            if (pieces.type(id) == PieceType::Normal) {
                least = std::min(least, m_scores[id]);
                most = std::max(most, static_cast<float>(m_scores[id]));
            }
        }
        m_unknownScore = stored(least - unknownPenalty);
        std::vector<PrefixIndex::Entry> entries;
        for (Index id = 0; id < indexSize(m_scores); ++id) {
            const std::string& piece = vocabulary().pieces()[id];
            if (pieces.type(id) == PieceType::UserDefined) // always chosen
                m_scores[id] = static_cast<float>(piece.size()) * most - userDefinedPenalty;
            if (isText(pieces.type(id)) && pieces.type(id) != PieceType::Unused)
                entries.push_back({piece, id});
        }
        m_index = PrefixIndex(std::move(entries), where);
    }

    void cut(const AlignedText& stretch, std::vector<Subword>& subwords) const override
    {
        const std::string_view text = stretch.text();
        const std::vector<BestPath> best = bestWays(text);
        std::vector<Subword> path; // backwards
        for (std::size_t end = text.size(); end > 0; end = best[end].from) {
            const Subword step{best[end].id, {best[end].from, end}};
            if (step.id == m_options.unknown && !path.empty() && path.back().id == m_options.unknown)
                path.back().range.begin = step.range.begin;
            else
                path.push_back(step);
        }
        std::ranges::reverse(path);
        for (const Subword& step : path)
            if (step.id != m_options.unknown || !appendBytes(text, step.range, subwords))
                subwords.push_back(step);
    }

private:
    double stored(double score) const { return m_options.singlePrecision ? static_cast<float>(score) : score; }

    // Best paths to every position of the text.
    std::vector<BestPath> bestWays(std::string_view text) const
    {
        std::vector<BestPath> best(text.size() + 1);
        best[0].isReached = true;
        const auto offer = [&](std::size_t from, std::size_t to, TokenId id, double total) {
            if (!best[to].isReached || total > best[to].score)
                best[to] = {stored(total), from, id, true};
        };
        for (std::size_t position = 0; position < text.size();) {
            ThreadStop::check();
            const std::size_t begin = position;
            nextCodePoint(text, position);
            bool hasCharacter = false;
            m_index.visitPrefixes(text.substr(begin), [&](std::size_t length, int id) {
                hasCharacter = hasCharacter || begin + length == position;
                offer(begin, begin + length, id, best[begin].score + m_scores[id]);
            });
            if (hasCharacter)
                continue;
            if (!m_options.unknown)
                throw Error(ErrorKind::Input, "text",
                            fmt::format("holds \"{}\", which the tokenizer does not know",
                                        text.substr(begin, position - begin)));
            offer(begin, position, *m_options.unknown, stored(best[begin].score + m_unknownScore));
        }
        return best;
    }

    std::vector<double> m_scores;
    PrefixIndex m_index;
    UnigramOptions m_options;
    double m_unknownScore = 0;
};

} // namespace

std::shared_ptr<const SubwordModel> unigramModel(ScoredPieces pieces, UnigramOptions options, const std::string& where)
{
    return std::make_shared<const Unigram>(std::move(pieces), options, where);
}

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
