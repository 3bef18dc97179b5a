// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/aligned_text.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace attn {

namespace {

constexpr std::uint64_t stepShares = 4; // of the limit for one step, for all of them
constexpr std::uint64_t leastGrowth = 1 << 16; // bytes that every text may grow by
constexpr std::uint64_t mostTimes = 64; // as many as a text has; Unicode's largest decomposition makes 11 of each byte

// Growth of the text at hand; none where there is none.
struct Growth
{
    std::uint64_t bytes = 0; // so far
    std::uint64_t most = 0;
};
thread_local std::optional<Growth> growth;

void requireAtMost(std::uint64_t bytes, std::uint64_t most)
{
    if (bytes > most)
        throw Error(ErrorKind::Resource, "text",
                    fmt::format("becomes longer than {} bytes in the steps of its tokenizer", most),
                    fmt::format("split it; {}", otherLimit(Limit::Normalized)));
}

} // namespace

GrowthBudget::GrowthBudget(std::uint64_t bytes)
    : m_isOutermost(!growth)
{
    const std::uint64_t most = stepShares * std::min(limit(Limit::Normalized), std::uint64_t{1} << 60U);
    if (m_isOutermost)
        growth = {0, std::min(most, leastGrowth + mostTimes * bytes)};
}

GrowthBudget::~GrowthBudget()
{
    if (m_isOutermost)
        growth.reset();
}

void GrowthBudget::spend(std::uint64_t bytes)
{
    if (!growth)
        return requireTextRoom(bytes / stepShares);
    growth->bytes += bytes;
    requireAtMost(growth->bytes, growth->most);
}

void requireTextRoom(std::uint64_t bytes)
{
    constexpr std::uint64_t mostPlaces = std::numeric_limits<std::int32_t>::max(); // that ICU has numbers for
    requireAtMost(bytes, std::min(limit(Limit::Normalized), mostPlaces));
}

AlignedText::AlignedText(std::string_view text, std::size_t offset)
{
    requireTextRoom(offset + text.size());
    m_text = text;
    m_sources.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto begin = static_cast<std::uint32_t>(offset + i);
        m_sources.push_back({begin, begin + 1});
    }
}

ByteSpan AlignedText::source(ByteSpan range) const
{
    if (range.begin >= range.end) {
        const std::size_t position = sourceBegin(range.begin);
        return {position, position};
    }
    const std::size_t begin = m_sources[range.begin].begin;
    return {begin, std::max<std::size_t>(begin, m_sources[range.end - 1].end)};
}

std::size_t AlignedText::sourceBegin(std::size_t position) const
{
    if (m_sources.empty())
        return 0;
    return position < m_sources.size() ? m_sources[position].begin : m_sources.back().end;
}

std::size_t AlignedText::growth() const
{
    const std::size_t original = source({0, size()}).end - sourceBegin(0);
    return size() - std::min(size(), original);
}

AlignedText AlignedText::slice(ByteSpan range) const
{
    AlignedText part;
    part.append(*this, range);
    return part;
}

AlignedText AlignedText::withPrefix(std::string_view prefix) const
{
    AlignedText result;
    result.append(prefix, {sourceBegin(0), sourceBegin(0)});
    result.append(*this, {0, size()});
    return result;
}

AlignedText AlignedText::replaced(const std::vector<ByteSpan>& matches, std::string_view content) const
{
    std::uint64_t bytes = size() + matches.size() * content.size();
    for (const ByteSpan match : matches)
        bytes -= match.end - match.begin;
    requireTextRoom(bytes);
    requireMemory(bytes * (1 + sizeof(Source)), "text");
    AlignedText result;
    result.m_text.reserve(bytes);
    result.m_sources.reserve(bytes);
    std::size_t position = 0;
    for (const ByteSpan match : matches) {
        result.append(*this, {position, match.begin});
        result.append(content, source(match));
        position = match.end;
    }
    result.append(*this, {position, size()});
    return result;
}

AlignedText AlignedText::inByteLevel() const
{
    AlignedText result;
    for (std::size_t i = 0; i < size(); ++i)
        result.append(byteLevelCharacter(static_cast<unsigned char>(m_text[i])), source({i, i + 1}));
    return result;
}

void AlignedText::append(std::string_view text, ByteSpan source)
{
    requireTextRoom(m_text.size() + text.size());
    m_text += text;
    m_sources.resize(m_text.size(), {static_cast<std::uint32_t>(source.begin), static_cast<std::uint32_t>(source.end)});
}

void AlignedText::append(char32_t character, ByteSpan source)
{
    std::string spelled;
    appendUtf8(spelled, character);
    append(spelled, source);
}

void AlignedText::append(const AlignedText& other, ByteSpan range)
{
    requireTextRoom(m_text.size() + range.end - range.begin);
    m_text.append(other.m_text, range.begin, range.end - range.begin);
    const auto first = other.m_sources.begin();
    m_sources.insert(m_sources.end(), first + static_cast<std::ptrdiff_t>(range.begin),
                     first + static_cast<std::ptrdiff_t>(range.end));
}

void AlignedText::extendLast(std::size_t sourceEnd)
{
    if (!m_sources.empty())
        m_sources.back().end = std::max(m_sources.back().end, static_cast<std::uint32_t>(sourceEnd));
}

} // namespace attn
