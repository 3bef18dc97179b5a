// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece_file.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/byte_reader.h"
#include "text/segment/prefix_index.h"

#include <bit>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace attn {

namespace {

[[noreturn]] void refuseModel(const std::string& where)
{
    throw Error(ErrorKind::Format, where, "is not a SentencePiece model, or damaged", "copy or download it again");
}

// Wire types of protocol buffers.
constexpr std::uint64_t varintType = 0;
constexpr std::uint64_t fixed64Type = 1;
constexpr std::uint64_t bytesType = 2;
constexpr std::uint64_t fixed32Type = 5;

// A field, told by its number and wire type together.
constexpr std::uint64_t key(std::uint64_t number, std::uint64_t wireType)
{
    return number << 3 | wireType;
}

struct Field
{
    std::uint64_t key = 0;
    std::uint64_t value = 0; // of a number
    std::span<const std::byte> bytes; // of a text or message

    std::string text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// Calls visit(Field) for the fields of a message, in file order.
template<class Visit>
void forEachField(std::span<const std::byte> message, const std::string& where, Visit visit)
{
    ByteReader reader(message, where);
    const auto readVarint = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = reader.integer<std::uint8_t>();
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80)
                return value;
        }
        refuseModel(where);
    };
    while (reader.remaining() > 0) {
        Field field;
        field.key = readVarint();
        const std::uint64_t wireType = field.key & 7U;
        if (field.key > std::numeric_limits<std::uint32_t>::max() || field.key < 8)
            refuseModel(where);
        if (wireType == varintType)
            field.value = readVarint();
        else if (wireType == fixed64Type)
            field.value = reader.integer<std::uint64_t>();
        else if (wireType == bytesType)
            field.bytes = reader.take(readVarint());
        else if (wireType == fixed32Type)
            field.value = reader.integer<std::uint32_t>();
        else
            refuseModel(where);
        visit(field);
    }
}

// Returns the piece's text and adds its score and type.
std::string readPiece(std::span<const std::byte> message, const std::string& where, ScoredPieces& pieces)
{
    std::string text;
    float score = 0;
    std::uint64_t type = 1;
    forEachField(message, where, [&](const Field& field) {
        if (field.key == key(1, bytesType))
            text = field.text();
        else if (field.key == key(2, fixed32Type))
            score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        else if (field.key == key(3, varintType))
            type = field.value;
    });
    PrefixIndex::requireShort(text, where);
    if (text.empty() || validUtf8Prefix(text) != text.size() || type < 1 || type > 6)
        refuseModel(where);
    pieces.scores.push_back(score);
    pieces.types.push_back(static_cast<PieceType>(type));
    return text;
}

void readTrainer(std::span<const std::byte> message, const std::string& where, SentencePieceFile& file)
{
    const std::pair<std::uint64_t, std::string SentencePieceFile::*> texts[] = {
        {44, &SentencePieceFile::unknownText}, {45, &SentencePieceFile::unknown}, {46, &SentencePieceFile::begin},
        {47, &SentencePieceFile::end},         {48, &SentencePieceFile::padding},
    };
    forEachField(message, where, [&](const Field& field) {
        if (field.key == key(3, varintType)) {
            if (field.value < 1 || field.value > 4)
                refuseModel(where);
            file.algorithm = static_cast<SentencePieceFile::Algorithm>(field.value);
        } else if (field.key == key(24, varintType))
            file.normalizer.marksWordEnds = field.value != 0;
        else if (field.key == key(35, varintType))
            file.spellsBytes = field.value != 0;
        for (const auto& [number, member] : texts)
            if (field.key == key(number, bytesType) && (number == 44 || !field.bytes.empty()))
                file.*member = field.text();
    });
}

void readNormalization(std::span<const std::byte> message, const std::string& where,
                       SentencePieceFile::Normalization& normalization)
{
    forEachField(message, where, [&](const Field& field) {
        if (field.key == key(2, bytesType) && !field.bytes.empty())
            normalization.map.emplace(field.bytes, where);
        else if (field.key == key(3, varintType))
            normalization.addsPrefix = field.value != 0;
        else if (field.key == key(4, varintType))
            normalization.dropsBlanks = field.value != 0;
        else if (field.key == key(5, varintType))
            normalization.marksBlanks = field.value != 0;
    });
}

} // namespace

SentencePieceFile readSentencePieceFile(std::span<const std::byte> message, const std::string& where)
{
    constexpr std::uint64_t memoryOfPiece = 300; // with its places in the indexes
    constexpr std::uint64_t memoryOfByte = 4;
    std::uint64_t pieces = 0;
    bool isWhole = false; // the specifications stand behind the pieces
    forEachField(message, where, [&](const Field& field) {
        pieces += field.key == key(1, bytesType) ? 1 : 0;
        isWhole = isWhole || field.key == key(2, bytesType) || field.key == key(3, bytesType);
    });
    if (pieces == 0)
        refuseModel(where);
    if (pieces > limit(Limit::Pieces))
        throw Error(ErrorKind::Format, where, fmt::format("has more than {} pieces", limit(Limit::Pieces)),
                    otherLimit(Limit::Pieces));
    if (!isWhole)
        throw Error(ErrorKind::Format, where, "ends behind its pieces, without saying how it cuts texts",
                    "the file is incomplete; get it again");
    requireMemory(pieces * memoryOfPiece + message.size() * memoryOfByte, where);
    SentencePieceFile file;
    std::vector<std::string> texts;
    texts.reserve(pieces);
    forEachField(message, where, [&](const Field& field) {
        if (field.key == key(1, bytesType))
            texts.push_back(readPiece(field.bytes, where, file.pieces));
        else if (field.key == key(2, bytesType))
            readTrainer(field.bytes, where, file);
        else if (field.key == key(3, bytesType))
            readNormalization(field.bytes, where, file.normalizer);
        else if (field.key == key(5, bytesType))
            readNormalization(field.bytes, where, file.denormalizer);
    });
    file.pieces.vocabulary = std::make_shared<const Vocabulary>(std::move(texts));
    return file;
}

} // namespace attn
