// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/unigram.h"

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

std::vector<std::string> spellings(const std::vector<Unigram::Scored>& pieces)
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

} // namespace

Unigram::Unigram(const std::vector<Scored>& pieces, std::optional<TokenId> unknown, bool byteFallback,
                 const std::string& where)
    : m_vocabulary(spellings(pieces))
    , m_keys(spellings(pieces))
    , m_unknown(unknown)
    , m_byteFallback(byteFallback)
{
    constexpr double unknownPenalty = 10; // below the least probable piece
    double least = std::numeric_limits<double>::max();
    std::vector<PrefixIndex::Entry> entries;
    for (Index id = 0; id < indexSize(pieces); ++id) {
        m_scores.push_back(pieces[id].second);
        least = std::min(least, pieces[id].second);
        entries.push_back({m_keys[id], id});
    }
    m_unknownScore = least - unknownPenalty;
    m_index = PrefixIndex(std::move(entries), where);
}

void Unigram::appendUnknown(std::string_view text, ByteSpan range, std::vector<Subword>& subwords) const
{
    if (m_byteFallback) {
        const std::size_t before = subwords.size();
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto id = m_vocabulary.find(bytePiece(static_cast<unsigned char>(text[i])));
            if (!id)
                break;
            subwords.push_back({*id, {i, i + 1}});
        }
        if (subwords.size() - before == range.end - range.begin)
            return;
        subwords.resize(before);
    }
    subwords.push_back({*m_unknown, range});
}

void Unigram::cut(std::string_view text, std::vector<Subword>& subwords) const
{
    std::vector<Reached> best(text.size() + 1);
    best[0].isReached = true;
    const auto offer = [&](std::size_t from, std::size_t to, TokenId id, double score) {
        const double total = best[from].score + score;
        if (!best[to].isReached || total > best[to].score)
            best[to] = {total, from, id, true};
    };
    for (std::size_t position = 0; position < text.size();) {
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
            throw Error(
                ErrorKind::Input, "text",
                fmt::format("holds \"{}\", which the tokenizer does not know", text.substr(begin, position - begin)));
        offer(begin, position, *m_unknown, m_unknownScore);
    }

    std::vector<Subword> path; // backwards
    for (std::size_t end = text.size(); end > 0; end = best[end].from) {
        const Subword step{best[end].id, {best[end].from, end}};
        if (m_unknown && step.id == *m_unknown && !path.empty() && path.back().id == *m_unknown)
            path.back().range.begin = step.range.begin;
        else
            path.push_back(step);
    }
    std::ranges::reverse(path);
    for (const Subword& step : path) {
        if (m_unknown && step.id == *m_unknown)
            appendUnknown(text, step.range, subwords);
        else
            subwords.push_back(step);
    }
}

std::string Unigram::description() const
{
    return fmt::format("Unigram, {} pieces", m_vocabulary.size());
}

} // namespace attn
