// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/added_tokens.h"

#include "base/error.h"
#include "base/index.h"
#include "text/unicode/character_map.h"
#include "text/unicode/regex.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace attn {

namespace {

std::size_t characterBefore(std::string_view text, std::size_t end)
{
    do
        --end;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
    return end;
}

template<class Holds>
bool holdsBefore(std::string_view text, std::size_t end, Holds holds)
{
    if (end == 0)
        return false;
    std::size_t position = characterBefore(text, end);
    return holds(nextCodePoint(text, position));
}

template<class Holds>
bool holdsAt(std::string_view text, std::size_t position, Holds holds)
{
    return position < text.size() && holds(nextCodePoint(text, position));
}

// Match with the white space around it that the token takes along.
ByteSpan stretched(std::string_view text, ByteSpan match, const AddedToken& token, std::size_t first)
{
    while (token.leftStrip && match.begin > first && holdsBefore(text, match.begin, isWhitespace))
        match.begin = characterBefore(text, match.begin);
    while (token.rightStrip && holdsAt(text, match.end, isWhitespace))
        nextCodePoint(text, match.end);
    match.begin = std::max(match.begin, first);
    return match;
}

} // namespace

std::vector<AddedToken> withMissing(std::vector<AddedToken> first, const std::vector<AddedToken>& more)
{
    std::set<TokenId> ids;
    std::set<std::string> contents;
    for (const AddedToken& token : first) {
        ids.insert(token.id);
        contents.insert(token.content);
    }
    for (const AddedToken& token : more)
        if (!ids.contains(token.id) && !contents.contains(token.content))
            first.push_back(token);
    return first;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer, const std::string& where)
    : m_tokens(std::make_shared<std::vector<AddedToken>>(std::move(tokens)))
{
    const RegexBudget budget;
    std::uint64_t bytes = 0;
    for (const AddedToken& token : *m_tokens)
        bytes += token.content.size();
    const GrowthBudget growth(bytes);
    auto keys = std::make_shared<std::vector<std::string>>();
    keys->reserve(m_tokens->size());
    std::vector<PrefixIndex::Entry> raw;
    std::vector<PrefixIndex::Entry> normalized;
    for (Index i = 0; i < indexSize(*m_tokens); ++i) {
        const AddedToken& token = (*m_tokens)[i];
        if (!m_byId.emplace(token.id, i).second)
            throw Error(ErrorKind::Format, where, fmt::format("adds two tokens with the id {}", token.id));
        m_byContent.emplace(token.content, i);
        if (!token.isTyped)
            continue;
        keys->push_back(token.normalized && normalizer ? normalizer(AlignedText(token.content, 0)).text()
                                                       : token.content);
        PrefixIndex::requireShort(keys->back(), where);
        (token.normalized ? normalized : raw).push_back({keys->back(), i});
    }
    m_keys = std::move(keys);
    m_raw = PrefixIndex(std::move(raw), where);
    m_normalized = PrefixIndex(std::move(normalized), where);
}

std::vector<AddedTokens::Segment> AddedTokens::split(std::string_view text, Kind kind) const
{
    const PrefixIndex& index = kind == Kind::Raw ? m_raw : m_normalized;
    std::vector<Segment> result;
    std::size_t open = 0; // where the text that belongs to no token begins
    for (std::size_t position = index.empty() ? text.size() : 0; position < text.size();) {
        std::size_t length = 0;
        const AddedToken* token = nullptr;
        index.visitPrefixes(text.substr(position), [&](std::size_t matched, int value) {
            length = matched;
            token = &(*m_tokens)[value];
        });
        if (token == nullptr) {
            ++position;
            continue;
        }
        const ByteSpan match{position, position + length};
        position = match.end;
        if (token->singleWord
            && (holdsBefore(text, match.begin, isWordCharacter) || holdsAt(text, match.end, isWordCharacter)))
            continue;
        const ByteSpan taken = stretched(text, match, *token, open);
        if (open < taken.begin)
            result.push_back({{open, taken.begin}, nullptr});
        result.push_back({taken, token});
        open = taken.end;
        position = std::max(position, taken.end);
    }
    if (open < text.size())
        result.push_back({{open, text.size()}, nullptr});
    return result;
}

const AddedToken* AddedTokens::find(TokenId id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : &(*m_tokens)[found->second];
}

const AddedToken* AddedTokens::find(std::string_view content) const
{
    const auto found = m_byContent.find(content);
    return found == m_byContent.end() ? nullptr : &(*m_tokens)[found->second];
}

} // namespace attn
