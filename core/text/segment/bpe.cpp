// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/bpe.h"

#include "base/error.h"
#include "text/unicode/aligned_text.h"

#include <queue>

#include <fmt/format.h>
#include <tuple>

namespace attn {

namespace {

std::uint64_t pairKey(TokenId left, TokenId right)
{
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) | static_cast<std::uint32_t>(right);
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
    m_merges.insert_or_assign(pairKey(left, right), MergedPair{rank, require(merge.first + merge.second.substr(mark))});
}

std::optional<MergedPair> Bpe::find(TokenId left, TokenId right) const
{
    const auto found = m_merges.find(pairKey(left, right));
    return found == m_merges.end() ? std::nullopt : std::optional(found->second);
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
    mergePairs(
        characters(text), [this](const Subword& left, const Subword& right) { return find(left.id, right.id); },
        subwords);
}

std::string Bpe::description() const
{
    return fmt::format("{}, {} pieces, {} merges", m_options.name, m_vocabulary.size(), m_merges.size());
}

} // namespace attn
