// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece_proto.h"

#include "base/error.h"
#include "io/byte_reader.h"
#include "text/unicode/character_map.h"

#include <cstdint>

namespace attn {

namespace {

[[noreturn]] void refusePieces(const std::string& where)
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
            refusePieces(m_where);
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
        refusePieces(m_where);
    }

    ByteReader m_reader;
    const std::string& m_where;
};

void checkNormalizer(std::span<const std::byte> message, const std::string& where)
{
    constexpr std::uint64_t characterMap = 2;
    for (FieldReader fields(message, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == characterMap && !field.bytes.empty())
            (void)CharacterMap(field.bytes, where);
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
        refusePieces(where);
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
        refusePieces(where);
    return result;
}

} // namespace attn
