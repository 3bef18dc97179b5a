// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpe.h"

#include "base/error.h"
#include "text/aligned_text.h"

#include <queue>

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace attn {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::uint64_t pairKey(TokenId left, TokenId right)
{
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) | static_cast<std::uint32_t>(right);
}

// A piece in the list that merging shortens.
struct Node
{
    Subword symbol;
    std::size_t previous = none;
    std::size_t next = none;
    bool isAlive = true;
};

// A pair that may be merged, if nothing was merged into its parts meanwhile.
struct Candidate
{
    std::uint32_t rank = 0;
    std::size_t left = 0;
    TokenId merged = 0;

    bool operator>(const Candidate& other) const { return std::tie(rank, left) > std::tie(other.rank, other.left); }
};

std::vector<Node> linked(const std::vector<Subword>& symbols)
{
    std::vector<Node> nodes(symbols.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {symbols[i], i > 0 ? i - 1 : none, i + 1 < nodes.size() ? i + 1 : none, true};
    return nodes;
}

} // namespace

Bpe::Bpe(Vocabulary vocabulary, const std::vector<Merge>& merges, BpeOptions options, const std::string& where)
    : m_vocabulary(std::move(vocabulary))
    , m_options(std::move(options))
{
    if (m_options.unknown) {
        m_unknown = m_vocabulary.find(*m_options.unknown);
        if (!m_unknown)
            throw Error(ErrorKind::Format, where,
                        fmt::format("its vocabulary lacks the unknown token \"{}\"", *m_options.unknown));
    }
    m_merges.reserve(merges.size());
    for (std::size_t rank = 0; rank < merges.size(); ++rank)
        addMerge(merges[rank], static_cast<std::uint32_t>(rank), where);
    for (int byte = 0; m_options.byteFallback && byte < 256; ++byte)
        m_bytes.push_back(m_vocabulary.find(bytePiece(static_cast<unsigned char>(byte))));
}

void Bpe::addMerge(const Merge& merge, std::uint32_t rank, const std::string& where)
{
    const auto require = [&](const std::string& piece) {
        const auto id = m_vocabulary.find(piece);
        if (!id)
            throw Error(ErrorKind::Format, where,
                        fmt::format("merge {} ({} {}) needs the piece \"{}\", which its vocabulary lacks", rank,
                                    merge.first, merge.second, piece),
                        "the vocabulary and the merges do not belong together");
        return *id;
    };
    const TokenId left = require(merge.first);
    const TokenId right = require(merge.second);
    const std::size_t mark = m_options.continuation.size();
    if (merge.second.size() < mark)
        throw Error(ErrorKind::Format, where,
                    fmt::format("merge {} ({} {}) lacks the mark \"{}\"", rank, merge.first, merge.second,
                                m_options.continuation));
    m_merges.insert_or_assign(pairKey(left, right), Merged{rank, require(merge.first + merge.second.substr(mark))});
}

const Bpe::Merged* Bpe::find(TokenId left, TokenId right) const
{
    const auto found = m_merges.find(pairKey(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

bool Bpe::appendBytes(ByteSpan character, std::string_view text, std::vector<Subword>& symbols) const
{
    if (!m_options.byteFallback)
        return false;
    const auto idAt = [&](std::size_t i) { return m_bytes[static_cast<unsigned char>(text[i])]; };
    for (std::size_t i = character.begin; i < character.end; ++i)
        if (!idAt(i))
            return false;
    for (std::size_t i = character.begin; i < character.end; ++i)
        symbols.push_back({*idAt(i), {i, i + 1}});
    return true;
}

// What merging starts from: a symbol per known character.
std::vector<Subword> Bpe::characters(std::string_view text) const
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
        if (const auto id = m_vocabulary.find(spelled)) {
            symbols.push_back({*id, range});
        } else if (!appendBytes(range, text, symbols) && m_unknown) {
            if (wasUnknown && m_options.fuseUnknown)
                symbols.back().range.end = range.end;
            else
                symbols.push_back({*m_unknown, range});
            afterUnknown = true;
        }
    });
    return symbols;
}

void Bpe::merge(const std::vector<Subword>& symbols, std::vector<Subword>& subwords) const
{
    std::vector<Node> nodes = linked(symbols);
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto propose = [&](std::size_t left) {
        if (left == none || nodes[left].next == none)
            return;
        if (const Merged* merged = find(nodes[left].symbol.id, nodes[nodes[left].next].symbol.id))
            candidates.push({merged->rank, left, merged->id});
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        propose(i);
    while (!candidates.empty()) {
        const Candidate candidate = candidates.top();
        candidates.pop();
        Node& left = nodes[candidate.left];
        if (!left.isAlive || left.next == none)
            continue;
        Node& right = nodes[left.next];
        const Merged* merged = find(left.symbol.id, right.symbol.id);
        if (merged == nullptr || merged->id != candidate.merged)
            continue;
        left.symbol = {merged->id, {left.symbol.range.begin, right.symbol.range.end}};
        left.next = right.next;
        right.isAlive = false;
        if (left.next != none)
            nodes[left.next].previous = candidate.left;
        propose(left.previous);
        propose(candidate.left);
    }
    for (const Node& node : nodes)
        if (node.isAlive)
            subwords.push_back(node.symbol);
}

void Bpe::cut(std::string_view text, std::vector<Subword>& subwords) const
{
    if (text.empty())
        return;
    if (m_options.ignoreMerges) {
        if (const auto id = m_vocabulary.find(text)) {
            subwords.push_back({*id, {0, text.size()}});
            return;
        }
    }
    merge(characters(text), subwords);
}

std::string Bpe::description() const
{
    return fmt::format("{}, {} pieces, {} merges", m_options.name, m_vocabulary.size(), m_merges.size());
}

} // namespace attn
