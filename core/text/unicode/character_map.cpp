// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/character_map.h"

#include "base/error.h"
#include "io/byte_reader.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace attn {

namespace {

constexpr std::uint32_t valueBit = 0x80000000U;

[[noreturn]] void refuse(const std::string& where)
{
    throw Error(ErrorKind::Format, where, "holds a damaged table of character replacements", "download it again");
}

std::size_t offset(std::uint32_t unit)
{
    return (unit >> 10) << ((unit & (1U << 9)) >> 6);
}

bool hasValue(std::uint32_t unit)
{
    return ((unit >> 8) & 1U) != 0;
}

// A trie from byte sequences to offsets into replacement texts, in Darts-clone's encoding: a unit at p with offset o
// has the child for byte c at p ^ o ^ c, and its value, if any, at p ^ o.
class TrieCheck
{
public:
    TrieCheck(const std::vector<std::uint32_t>& units, std::size_t replacementBytes)
        : m_units(units)
        , m_replacementBytes(replacementBytes)
        , m_depths(m_units.size(), unvisited)
    {
    }

    bool passes()
    {
        // A unit with the highest bit set is a value: a walk never enters it, as no byte equals its label.
        for (std::size_t p = 0; p < m_units.size(); ++p)
            if ((m_units[p] & valueBit) == 0 && !isInside(p))
                return false;
        return !m_units.empty() && (m_units[0] & valueBit) == 0 && walksAreShort();
    }

private:
    static constexpr int unvisited = -1;
    static constexpr int onPath = -2;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr int longestKey = 128; // bytes; a text is looked up at every place

    struct Visit
    {
        std::size_t unit = 0;
        std::uint32_t child = 0; // the next to be entered
        int below = 0; // length of the longest walk below
    };

    bool isInside(std::size_t p) const
    {
        const std::size_t base = p ^ offset(m_units[p]);
        return (base | 0xFFU) < m_units.size()
            && (!hasValue(m_units[p]) || (m_units[base] & ~valueBit) < m_replacementBytes);
    }

    // Depth first: no cycle and no long walk.
    bool walksAreShort()
    {
        listChildren();
        std::vector<Visit> path;
        const auto enter = [&](std::size_t unit) {
            m_depths[unit] = onPath;
            path.push_back({unit, m_firstChild[unit ^ offset(m_units[unit])], 0});
        };
        enter(0);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.child == none) {
                const int depth = visit.below + 1;
                if (depth > longestKey + 1) // the root is no byte
                    return false;
                m_depths[visit.unit] = depth;
                path.pop_back();
                if (!path.empty())
                    path.back().below = std::max(path.back().below, depth);
                continue;
            }
            const std::size_t child = visit.child;
            visit.child = m_nextChild[child];
            if (m_depths[child] == onPath)
                return false;
            if (m_depths[child] == unvisited)
                enter(child);
            else
                visit.below = std::max(visit.below, m_depths[child]);
        }
        return true;
    }

    // A unit with label c at p is a child of every unit whose children start at p ^ c.
    void listChildren()
    {
        m_firstChild.assign(m_units.size(), none);
        m_nextChild.assign(m_units.size(), none);
        for (std::size_t p = 0; p < m_units.size(); ++p) {
            const std::size_t base = p ^ (m_units[p] & 0xFFU);
            if ((m_units[p] & valueBit) != 0 || base >= m_units.size())
                continue;
            m_nextChild[p] = m_firstChild[base];
            m_firstChild[base] = static_cast<std::uint32_t>(p);
        }
    }

    const std::vector<std::uint32_t>& m_units;
    std::size_t m_replacementBytes;
    std::vector<std::uint32_t> m_firstChild; // per start of children
    std::vector<std::uint32_t> m_nextChild; // per unit, with the same start
    std::vector<int> m_depths; // per unit: of the longest walk from it, itself included
};

std::vector<std::byte> decodeBase64(std::string_view text, const std::string& where)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos)
            refuse(where);
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::byte>((bits >> count) & 0xFFU));
        }
    }
    return bytes;
}

} // namespace

CharacterMap::CharacterMap(std::span<const std::byte> bytes, const std::string& where)
{
    ByteReader reader(bytes, where);
    const auto trieBytes = reader.integer<std::uint32_t>();
    const auto trie = reader.take(trieBytes);
    const auto replacements = reader.take(reader.remaining());
    if (trieBytes % sizeof(std::uint32_t) != 0 || replacements.empty() || replacements.back() != std::byte{0})
        refuse(where);
    m_units.resize(trieBytes / sizeof(std::uint32_t));
    if (!m_units.empty())
        std::memcpy(m_units.data(), trie.data(), trie.size());
    if (!TrieCheck(m_units, replacements.size()).passes())
        refuse(where);
    m_replacements.assign(reinterpret_cast<const char*>(replacements.data()), replacements.size());
}

CharacterMap CharacterMap::fromBase64(std::string_view text, const std::string& where)
{
    return {decodeBase64(text, where), where};
}

template<class Visit>
void CharacterMap::visitPrefixes(std::string_view text, Visit visit) const
{
    std::size_t position = offset(m_units[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        position ^= byte;
        const std::uint32_t unit = m_units[position];
        if ((unit & (valueBit | 0xFFU)) != byte)
            return;
        position ^= offset(unit);
        if (hasValue(unit)) {
            const std::string_view rest = std::string_view(m_replacements).substr(m_units[position] & ~valueBit);
            if (!visit(Match{rest.substr(0, rest.find('\0')), i + 1}))
                return;
        }
    }
}

std::optional<std::string_view> CharacterMap::find(std::string_view text) const
{
    std::optional<std::string_view> found;
    visitPrefixes(text, [&](const Match& match) {
        found = match.replacement;
        return false;
    });
    return found;
}

std::optional<CharacterMap::Match> CharacterMap::findLongest(std::string_view text) const
{
    std::optional<Match> found;
    visitPrefixes(text, [&](const Match& match) {
        found = match;
        return true;
    });
    return found;
}

namespace {

bool isOf(char32_t c, std::uint32_t categories)
{
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & categories) != 0;
}

} // namespace

bool isPunctuation(char32_t c)
{
    const bool asciiSymbol =
        (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
    return asciiSymbol || isOf(c, U_GC_P_MASK);
}

bool isNumeric(char32_t c)
{
    return isOf(c, U_GC_N_MASK);
}

bool isMark(char32_t c)
{
    return isOf(c, U_GC_M_MASK);
}

bool isNonspacingMark(char32_t c)
{
    return isOf(c, U_GC_MN_MASK);
}

bool isControl(char32_t c)
{
    return isOf(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

bool isWordCharacter(char32_t c)
{
    return u_isUAlphabetic(static_cast<UChar32>(c)) != 0 || isOf(c, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)
        || c == 0x200C || c == 0x200D;
}

bool isChineseCharacter(char32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

} // namespace attn
