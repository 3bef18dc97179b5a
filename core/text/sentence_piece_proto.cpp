// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sentence_piece_proto.h"

#include "base/error.h"
#include "io/byte_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace attn {

namespace {

[[noreturn]] void refuse(const std::string& where)
{
    throw Error(ErrorKind::Format, where, "is not a SentencePiece model, or damaged", "copy or download it again");
}

struct Field
{
    std::uint64_t number = 0;
    std::uint64_t value = 0; // of a number
    std::span<const std::byte> bytes; // of a text or message
};

// Fields of a protocol buffer message, in file order.
class FieldReader
{
public:
    FieldReader(std::span<const std::byte> message, const std::string& where)
        : m_reader(message, where)
        , m_where(where)
    {
    }

    bool atEnd() const { return m_reader.remaining() == 0; }

    Field next()
    {
        constexpr std::uint64_t varint = 0;
        constexpr std::uint64_t fixed64 = 1;
        constexpr std::uint64_t lengthDelimited = 2;
        constexpr std::uint64_t fixed32 = 5;
        const std::uint64_t key = readVarint();
        Field field{key >> 3, 0, {}};
        switch (key & 7U) {
        case varint:
            field.value = readVarint();
            break;
        case fixed64:
            m_reader.take(8);
            break;
        case lengthDelimited:
            field.bytes = m_reader.take(readVarint());
            break;
        case fixed32:
            m_reader.take(4);
            break;
        default:
            refuse(m_where);
        }
        return field;
    }

private:
    std::uint64_t readVarint()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = m_reader.integer<std::uint8_t>();
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80)
                return value;
        }
        refuse(m_where);
    }

    ByteReader m_reader;
    const std::string& m_where;
};

// A trie from byte sequences to offsets into replacement texts, in Darts-clone's encoding: a unit at p with offset o
// has the child for byte c at p ^ o ^ c, and its value, if any, at p ^ o.
class TrieCheck
{
public:
    TrieCheck(std::vector<std::uint32_t> units, std::size_t replacementBytes)
        : m_units(std::move(units))
        , m_replacementBytes(replacementBytes)
        , m_matches(m_units.size(), unvisited)
    {
    }

    bool passes()
    {
        // A unit with the highest bit set is a value: a walk never enters it, as no byte equals its label.
        for (std::size_t p = 0; p < m_units.size(); ++p)
            if ((m_units[p] & valueBit) == 0 && !isInside(p))
                return false;
        return !m_units.empty() && (m_units[0] & valueBit) == 0 && matchesAreBounded();
    }

private:
    static constexpr std::uint32_t valueBit = 0x80000000U;
    static constexpr int unvisited = -1;
    static constexpr int onPath = -2;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr int mostMatchesRead = 32; // the library's buffer for the matches of one walk

    struct Visit
    {
        std::size_t unit = 0;
        std::uint32_t child = 0; // the next to be entered
        int below = 0; // most matches on a walk below
    };

    static std::size_t offset(std::uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); }
    static bool hasValue(std::uint32_t unit) { return ((unit >> 8) & 1U) != 0; }

    bool isInside(std::size_t p) const
    {
        const std::size_t base = p ^ offset(m_units[p]);
        return (base | 0xFFU) < m_units.size()
            && (!hasValue(m_units[p]) || (m_units[base] & ~valueBit) < m_replacementBytes);
    }

    // Depth first: no cycle, and no walk with more matches than the library has room for.
    bool matchesAreBounded()
    {
        listChildren();
        std::vector<Visit> path;
        const auto enter = [&](std::size_t unit) {
            m_matches[unit] = onPath;
            path.push_back({unit, m_firstChild[unit ^ offset(m_units[unit])], 0});
        };
        enter(0);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.child == none) {
                const int matches = visit.below + (hasValue(m_units[visit.unit]) && path.size() > 1 ? 1 : 0);
                if (matches > mostMatchesRead)
                    return false;
                m_matches[visit.unit] = matches;
                path.pop_back();
                if (!path.empty())
                    path.back().below = std::max(path.back().below, matches);
                continue;
            }
            const std::size_t child = visit.child;
            visit.child = m_nextChild[child];
            if (m_matches[child] == onPath)
                return false;
            if (m_matches[child] == unvisited)
                enter(child);
            else
                visit.below = std::max(visit.below, m_matches[child]);
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

    std::vector<std::uint32_t> m_units;
    std::size_t m_replacementBytes;
    std::vector<std::uint32_t> m_firstChild; // per start of children
    std::vector<std::uint32_t> m_nextChild; // per unit, with the same start
    std::vector<int> m_matches; // per unit: most matches on a walk from it
};

// [size of the trie][trie][zero-terminated replacement texts]
void checkCharacterMap(std::span<const std::byte> map, const std::string& where)
{
    if (map.empty())
        return;
    ByteReader reader(map, where);
    const auto trieBytes = reader.integer<std::uint32_t>();
    const auto trie = reader.take(trieBytes);
    const auto replacements = reader.take(reader.remaining());
    if (trieBytes % sizeof(std::uint32_t) != 0 || replacements.empty() || replacements.back() != std::byte{0})
        refuse(where);
    std::vector<std::uint32_t> units(trieBytes / sizeof(std::uint32_t));
    if (!units.empty())
        std::memcpy(units.data(), trie.data(), trie.size());
    if (!TrieCheck(std::move(units), replacements.size()).passes())
        refuse(where);
}

void checkNormalizer(std::span<const std::byte> message, const std::string& where)
{
    constexpr std::uint64_t characterMap = 2;
    for (FieldReader fields(message, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == characterMap)
            checkCharacterMap(field.bytes, where);
}

std::string algorithmName(std::span<const std::byte> trainer, const std::string& where)
{
    constexpr std::uint64_t modelType = 3;
    std::uint64_t type = 1;
    for (FieldReader fields(trainer, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == modelType)
            type = field.value;
    switch (type) {
    case 1:
        return "unigram";
    case 2:
        return "BPE";
    case 3:
        return "word";
    case 4:
        return "character";
    default:
        refuse(where);
    }
}

} // namespace

SentencePieceProto checkSentencePieceProto(std::span<const std::byte> proto, const std::string& where)
{
    constexpr std::uint64_t piece = 1;
    constexpr std::uint64_t trainer = 2;
    constexpr std::uint64_t normalizer = 3;
    constexpr std::uint64_t denormalizer = 5;
    SentencePieceProto result{"unigram", 0};
    for (FieldReader fields(proto, where); !fields.atEnd();) {
        const Field field = fields.next();
        if (field.number == piece)
            ++result.pieces;
        else if (field.number == trainer)
            result.algorithm = algorithmName(field.bytes, where);
        else if (field.number == normalizer || field.number == denormalizer)
            checkNormalizer(field.bytes, where);
    }
    if (result.pieces == 0)
        refuse(where);
    return result;
}

} // namespace attn
