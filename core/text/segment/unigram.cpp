// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "base/thread_stop.h"
#include "base/utf8.h"
#include "text/segment/prefix_index.h"
#include "text/segment/subword_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

std::vector<std::string> spellings(const ScoredPieces& pieces)
{
    std::vector<std::string> texts;
    texts.reserve(pieces.size());
    for (const auto& [piece, score] : pieces)
        texts.push_back(piece);
    return texts;
}

// The best way to reach a position.
struct Reached
{
    double score = 0;
    std::size_t from = 0;
    TokenId id = 0;
    bool isReached = false;
};

class Unigram final : public SubwordModel
{
public:
    Unigram(const ScoredPieces& pieces, std::optional<TokenId> unknown, bool byteFallback, const std::string& where)
        : SubwordModel(std::make_shared<const Vocabulary>(spellings(pieces)),
                       fmt::format("Unigram, {} pieces", pieces.size()), byteFallback)
        , m_unknown(unknown)
    {
        constexpr double unknownPenalty = 10; // below the least probable piece
        double least = std::numeric_limits<double>::max();
        std::vector<PrefixIndex::Entry> entries;
        for (Index id = 0; id < indexSize(pieces); ++id) {
            m_scores.push_back(pieces[id].second);
            least = std::min(least, pieces[id].second);
            entries.push_back({vocabulary().pieces()[id], id});
        }
        m_unknownScore = least - unknownPenalty;
        m_index = PrefixIndex(std::move(entries), where);
    }

    void cut(const AlignedText& stretch, std::vector<Subword>& subwords) const override
    {
        const std::string_view text = stretch.text();
        const std::vector<Reached> best = bestWays(text);
        std::vector<Subword> path; // backwards
        for (std::size_t end = text.size(); end > 0; end = best[end].from) {
            const Subword step{best[end].id, {best[end].from, end}};
            if (step.id == m_unknown && !path.empty() && path.back().id == m_unknown)
                path.back().range.begin = step.range.begin;
            else
                path.push_back(step);
        }
        std::ranges::reverse(path);
        for (const Subword& step : path)
            if (step.id != m_unknown || !appendBytes(text, step.range, subwords))
                subwords.push_back(step);
    }

private:
    // To every position of the text.
    std::vector<Reached> bestWays(std::string_view text) const
    {
        std::vector<Reached> best(text.size() + 1);
        best[0].isReached = true;
        const auto offer = [&](std::size_t from, std::size_t to, TokenId id, double score) {
            const double total = best[from].score + score;
            if (!best[to].isReached || total > best[to].score)
                best[to] = {total, from, id, true};
        };
        for (std::size_t position = 0; position < text.size();) {
            ThreadStop::check();
            const std::size_t begin = position;
            nextCodePoint(text, position);
            bool hasCharacter = false;
            m_index.visitPrefixes(text.substr(begin), [&](std::size_t length, int id) {
                hasCharacter = hasCharacter || begin + length == position;
                offer(begin, begin + length, id, m_scores[id]);
            });
            if (hasCharacter)
                continue;
            if (!m_unknown)
                throw Error(ErrorKind::Input, "text",
                            fmt::format("holds \"{}\", which the tokenizer does not know",
                                        text.substr(begin, position - begin)));
            offer(begin, position, *m_unknown, m_unknownScore);
        }
        return best;
    }

    std::vector<double> m_scores;
    PrefixIndex m_index;
    std::optional<TokenId> m_unknown;
    double m_unknownScore = 0;
};

} // namespace

std::shared_ptr<const SubwordModel> unigramModel(const ScoredPieces& pieces, std::optional<TokenId> unknown,
                                                 bool byteFallback, const std::string& where)
{
    return std::make_shared<const Unigram>(pieces, unknown, byteFallback, where);
}

} // namespace attn
