// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/segment/prefix_index.h"
#include "text/segment/subword_model.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace attn {

namespace {

// Result of merging two neighbouring symbols; the smallest rank is merged first.
struct MergedPair
{
    std::uint32_t rank = 0;
    TokenId id = 0;
};

constexpr auto noNode = std::numeric_limits<std::size_t>::max();

struct MergeNode
{
    Subword symbol;
    std::size_t previous = noNode;
    std::size_t next = noNode;
    bool isAlive = true;
};

// Valid while its parts are what they were, together of this size.
struct MergeCandidate
{
    std::uint32_t rank = 0;
    std::size_t left = 0;
    TokenId merged = 0;
    std::size_t size = 0;

    bool operator>(const MergeCandidate& other) const
    {
        return std::tie(rank, left) > std::tie(other.rank, other.left);
    }
};

// Byte pair encoding's loop: merges the pair of smallest rank, the leftmost of several, until find(left, right), an
// std::optional<MergedPair>, knows none. Appends what is left. Takes n log n steps for n symbols.
template<class Find>
void mergePairs(const std::vector<Subword>& symbols, Find find, std::vector<Subword>& subwords)
{
    std::vector<MergeNode> nodes(symbols.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {symbols[i], i > 0 ? i - 1 : noNode, i + 1 < nodes.size() ? i + 1 : noNode, true};
    std::priority_queue<MergeCandidate, std::vector<MergeCandidate>, std::greater<>> candidates;
    const auto propose = [&](std::size_t left) {
        ThreadStop::check();
        if (left == noNode || nodes[left].next == noNode)
            return;
        const Subword& first = nodes[left].symbol;
        const Subword& second = nodes[nodes[left].next].symbol;
        if (const std::optional<MergedPair> merged = find(first, second))
            candidates.push({merged->rank, left, merged->id, second.range.end - first.range.begin});
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        propose(i);
    while (!candidates.empty()) {
        const MergeCandidate candidate = candidates.top();
        candidates.pop();
        MergeNode& left = nodes[candidate.left];
        if (!left.isAlive || left.next == noNode)
            continue;
        MergeNode& right = nodes[left.next];
        if (right.symbol.range.end - left.symbol.range.begin != candidate.size)
            continue;
        left.symbol = {candidate.merged, {left.symbol.range.begin, right.symbol.range.end}};
        left.next = right.next;
        right.isAlive = false;
        if (left.next != noNode)
            nodes[left.next].previous = candidate.left;
        propose(left.previous);
        propose(candidate.left);
    }
    for (const MergeNode& node : nodes)
        if (node.isAlive)
            subwords.push_back(node.symbol);
}

std::uint64_t pairKey(TokenId left, TokenId right)
{
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) | static_cast<std::uint32_t>(right);
}

class Bpe final : public SubwordModel
{
public:
    Bpe(const SharedVocabulary& pieces, const std::vector<Merge>& merges, BpeOptions options, const std::string& where)
        : SubwordModel(pieces, fmt::format("{}, {} pieces, {} merges", options.name, pieces->size(), merges.size()),
                       options.byteFallback)
        , m_options(std::move(options))
    {
        if (m_options.unknown)
            m_unknown = vocabulary().requireUnknown(*m_options.unknown, where);
        m_merges.reserve(merges.size());
        for (std::uint32_t rank = 0; rank < merges.size(); ++rank)
            addMerge(merges[rank], rank, where);
    }

    void cut(const AlignedText& stretch, std::vector<Subword>& subwords) const override
    {
        const std::string& text = stretch.text();
        if (const auto id = m_options.ignoreMerges && !text.empty() ? vocabulary().find(text) : std::nullopt) {
            subwords.push_back({*id, {0, text.size()}});
            return;
        }
        mergePairs(
            characters(text),
            [this](const Subword& left, const Subword& right) -> std::optional<MergedPair> {
                const auto found = m_merges.find(pairKey(left.id, right.id));
                return found == m_merges.end() ? std::nullopt : std::optional(found->second);
            },
            subwords);
    }

private:
    void addMerge(const Merge& merge, std::uint32_t rank, const std::string& where)
    {
        const auto require = [&](const std::string& piece) {
            const auto id = vocabulary().find(piece);
            if (!id)
                throw Error(ErrorKind::Format, where,
                            fmt::format("merge {} ({} {}) needs the piece \"{}\", which its vocabulary lacks", rank,
                                        merge.first, merge.second, piece),
                            "the vocabulary and the merges do not belong together");
            return *id;
        };
        const std::uint64_t key = pairKey(require(merge.first), require(merge.second));
        const std::size_t mark = m_options.continuation.size();
        if (merge.second.size() < mark)
            throw Error(ErrorKind::Format, where,
                        fmt::format("merge {} ({} {}) lacks the mark \"{}\"", rank, merge.first, merge.second,
                                    m_options.continuation));
        m_merges.insert_or_assign(key, MergedPair{rank, require(merge.first + merge.second.substr(mark))});
    }

    // Symbols that merging starts from: a symbol per known character.
    std::vector<Subword> characters(std::string_view text) const
    {
        std::vector<Subword> symbols;
        symbols.reserve(text.size());
        std::string spelled;
        bool afterUnknown = false;
        forEachCharacter(text, [&](const Character& character) {
            const ByteSpan range = character.range;
            spelled = range.begin > 0 ? m_options.continuation : std::string{};
            spelled += text.substr(range.begin, range.end - range.begin);
            if (range.end == text.size())
                spelled += m_options.wordEnd;
            const bool wasUnknown = std::exchange(afterUnknown, false);
            if (const auto id = vocabulary().find(spelled)) {
                symbols.push_back({*id, range});
            } else if (!appendBytes(text, range, symbols) && m_unknown) {
                if (wasUnknown && m_options.fuseUnknown)
                    symbols.back().range.end = range.end;
                else
                    symbols.push_back({*m_unknown, range});
                afterUnknown = true;
            }
        });
        return symbols;
    }

    BpeOptions m_options;
    std::optional<TokenId> m_unknown;
    std::unordered_map<std::uint64_t, MergedPair> m_merges; // by the ids of the pair
};

class ScoredBpe final : public SubwordModel
{
public:
    ScoredBpe(ScoredPieces pieces, std::optional<TokenId> unknown, bool byteFallback, const std::string& where)
        : SubwordModel(pieces.vocabulary, fmt::format("SentencePiece BPE, {} pieces", pieces.vocabulary->size()),
                       byteFallback)
        , m_ranks(pieces.scores.size())
        , m_pieces(std::move(pieces))
        , m_unknown(unknown)
    {
        const std::vector<double>& scores = m_pieces.scores;
        if (scores.size() != vocabulary().size())
            throw Error(ErrorKind::Format, where,
                        fmt::format("has {} scores for {} pieces", scores.size(), vocabulary().size()));
        if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); }))
            throw Error(ErrorKind::Format, where, "has a score that is NaN");
        std::vector<TokenId> order(scores.size());
        std::iota(order.begin(), order.end(), TokenId{0});
        std::ranges::stable_sort(order, std::greater<>(), [&](TokenId id) { return scores[id]; });
        for (std::size_t i = 1; i < order.size(); ++i)
            m_ranks[order[i]] = m_ranks[order[i - 1]] + (scores[order[i]] < scores[order[i - 1]] ? 1U : 0U);
        std::vector<PrefixIndex::Entry> userDefined;
        for (TokenId id = 0; id < indexSize(scores); ++id) {
            const std::string& piece = vocabulary().pieces()[id];
            m_longest = std::max(m_longest, piece.size());
            if (m_pieces.type(id) == PieceType::UserDefined)
                userDefined.push_back({piece, id});
        }
        m_userDefined = PrefixIndex(std::move(userDefined), where);
    }

    void cut(const AlignedText& stretch, std::vector<Subword>& subwords) const override
    {
        const std::string_view text = stretch.text();
        Splits splits;
        std::vector<Subword> merged;
        mergePairs(
            symbols(text),
            [&](const Subword& left, const Subword& right) -> std::optional<MergedPair> {
                const ByteSpan range{left.range.begin, right.range.end};
                const TokenId id = isWhole(left.id) || isWhole(right.id) ? outside : find(text, range);
                if (id == outside)
                    return std::nullopt;
                if (m_pieces.type(id) == PieceType::Unused)
                    splits[spelling(text, range)] = left.range.end - left.range.begin;
                return MergedPair{m_ranks[id], id};
            },
            merged);
        for (const Subword& subword : merged)
            append(text, subword, splits, subwords);
    }

private:
    static constexpr TokenId outside = -1;
    using Splits = std::unordered_map<std::string_view, std::size_t>; // sizes of the left parts, by spelling

    static std::string_view spelling(std::string_view text, ByteSpan range)
    {
        return text.substr(range.begin, range.end - range.begin);
    }

    bool isWhole(TokenId id) const { return id != outside && m_pieces.type(id) == PieceType::UserDefined; }

    TokenId find(std::string_view text, ByteSpan range) const
    {
        if (range.end - range.begin > m_longest)
            return outside;
        const auto id = vocabulary().find(spelling(text, range));
        return id && isText(m_pieces.type(*id)) ? *id : outside;
    }

    // User-defined pieces and characters.
    std::vector<Subword> symbols(std::string_view text) const
    {
        std::vector<Subword> result;
        for (std::size_t begin = 0; begin < text.size();) {
            ThreadStop::check();
            Subword symbol{outside, {begin, begin}};
            m_userDefined.visitPrefixes(text.substr(begin), [&](std::size_t length, int id) {
                symbol = {id, {begin, begin + length}};
            });
            if (symbol.id == outside) {
                nextCodePoint(text, symbol.range.end);
                symbol.id = find(text, symbol.range);
            }
            begin = symbol.range.end;
            result.push_back(symbol);
        }
        return result;
    }

    void append(std::string_view text, const Subword& subword, const Splits& splits,
                std::vector<Subword>& subwords) const
    {
        const ByteSpan range = subword.range;
        if (subword.id == outside) {
            if (!appendBytes(text, range, subwords) && m_unknown)
                subwords.push_back({*m_unknown, range});
            return;
        }
        const bool isUnused = m_pieces.type(subword.id) == PieceType::Unused;
        const auto split = isUnused ? splits.find(spelling(text, range)) : splits.end();
        if (split == splits.end()) {
            subwords.push_back(subword);
            return;
        }
        const std::size_t middle = range.begin + split->second;
        for (const ByteSpan part : {ByteSpan{range.begin, middle}, ByteSpan{middle, range.end}})
            append(text, {find(text, part), part}, splits, subwords);
    }

    std::vector<std::uint32_t> m_ranks; // by id; equal scores share one
    ScoredPieces m_pieces;
    PrefixIndex m_userDefined;
    std::optional<TokenId> m_unknown;
    std::size_t m_longest = 0; // piece, in bytes
};

} // namespace

std::shared_ptr<const SubwordModel> bpeModel(const SharedVocabulary& vocabulary, const std::vector<Merge>& merges,
                                             BpeOptions options, const std::string& where)
{
    return std::make_shared<const Bpe>(vocabulary, merges, std::move(options), where);
}

std::shared_ptr<const SubwordModel> scoredBpeModel(ScoredPieces pieces, std::optional<TokenId> unknown,
                                                   bool byteFallback, const std::string& where)
{
    return std::make_shared<const ScoredBpe>(std::move(pieces), unknown, byteFallback, where);
}

} // namespace attn
