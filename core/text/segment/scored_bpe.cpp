// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/scored_bpe.h"

#include "base/error.h"
#include "text/segment/pair_merging.h"
#include "text/unicode/aligned_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace attn {

ScoredBpe::ScoredBpe(Vocabulary vocabulary, const std::vector<float>& scores, std::optional<TokenId> unknown,
                     const std::string& where)
    : m_vocabulary(std::move(vocabulary))
    , m_unknown(unknown)
    , m_hasBytes(m_vocabulary.find(bytePiece(0)).has_value())
{
    if (scores.size() != m_vocabulary.size())
        throw Error(ErrorKind::Format, where,
                    fmt::format("has {} scores for {} pieces", scores.size(), m_vocabulary.size()));
    if (std::ranges::any_of(scores, [](float score) { return std::isnan(score); }))
        throw Error(ErrorKind::Format, where, "has a score that is no number");
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t id) { return scores[id]; });
    m_ranks.resize(scores.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        m_ranks[order[i]] = m_ranks[order[i - 1]] + (scores[order[i]] < scores[order[i - 1]] ? 1U : 0U);
}

void ScoredBpe::cut(std::string_view text, std::vector<Subword>& subwords) const
{
    constexpr TokenId outside = -1;
    std::vector<Subword> symbols;
    forEachCharacter(text, [&](const Character& character) {
        const ByteSpan range = character.range;
        symbols.push_back(
            {m_vocabulary.find(text.substr(range.begin, range.end - range.begin)).value_or(outside), range});
    });
    std::vector<Subword> merged;
    mergePairs(
        symbols,
        [&](const Subword& left, const Subword& right) -> std::optional<MergedPair> {
            const std::size_t begin = left.range.begin;
            const auto id = m_vocabulary.find(text.substr(begin, right.range.end - begin));
            if (!id)
                return std::nullopt;
            return MergedPair{m_ranks[*id], *id};
        },
        merged);
    for (const Subword& subword : merged) {
        if (subword.id != outside) {
            subwords.push_back(subword);
            continue;
        }
        for (std::size_t i = subword.range.begin; m_hasBytes && i < subword.range.end; ++i)
            if (const auto id = m_vocabulary.find(bytePiece(static_cast<unsigned char>(text[i]))))
                subwords.push_back({*id, {i, i + 1}});
        if (!m_hasBytes && m_unknown)
            subwords.push_back({*m_unknown, subword.range});
    }
}

std::string ScoredBpe::description() const
{
    return fmt::format("SentencePiece BPE, {} pieces", m_vocabulary.size());
}

} // namespace attn
