// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece.h"

#include "base/byte_spelling.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/thread_stop.h"
#include "base/utf8.h"
#include "io/byte_reader.h"
#include "io/identify.h"
#include "io/mapped_file.h"
#include "text/unicode/aligned_text.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <utility>

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
    std::size_t position() const { return m_reader.position(); }

    Field next()
    {
        constexpr std::uint64_t varint = 0;
        constexpr std::uint64_t fixed64 = 1;
        constexpr std::uint64_t lengthDelimited = 2;
        constexpr std::uint64_t fixed32 = 5;
        const std::uint64_t key = readVarint();
        if (key > std::numeric_limits<std::uint32_t>::max())
            refusePieces(m_where); // the library would take the lower half for the name of another field
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

void readReplacements(std::span<const std::byte> message, const std::string& where, std::optional<CharacterMap>& map)
{
    constexpr std::uint64_t characterMap = 2;
    for (FieldReader fields(message, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == characterMap && !field.bytes.empty())
            map.emplace(field.bytes, where);
}

constexpr std::uint64_t byteFallback = 35; // field of the trainer's specification

// `before`: what an earlier part says.
bool spellsBytes(std::span<const std::byte> trainer, bool before, const std::string& where)
{
    for (FieldReader fields(trainer, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == byteFallback)
            before = field.value != 0;
    return before;
}

std::string algorithmName(std::span<const std::byte> trainer, const std::string& where)
{
    constexpr std::uint64_t modelType = 3;
    constexpr std::array names = {"", "unigram", "BPE", "word", "character"};
    std::uint64_t type = 1;
    for (FieldReader fields(trainer, where); !fields.atEnd();)
        if (const Field field = fields.next(); field.number == modelType)
            type = field.value;
    if (type < 1 || type >= names.size())
        refusePieces(where);
    return names[type];
}

// Its text must not be longer than the library's stack allows.
void checkPiece(std::span<const std::byte> message, const std::string& where)
{
    constexpr std::uint64_t text = 1;
    for (FieldReader fields(message, where); !fields.atEnd();)
        if (const Field field = fields.next();
            field.number == text && field.bytes.size() > SentencePieceModel::longestPiece)
            throw Error(ErrorKind::Format, where,
                        fmt::format("holds a piece of {} bytes, more than the {} that are read", field.bytes.size(),
                                    SentencePieceModel::longestPiece),
                        "copy or download it again");
}

// What the library says nothing about.
struct ProtoContents
{
    std::string algorithm = "unigram";
    std::uint64_t pieces = 0;
    bool spellsBytes = false;
    std::optional<CharacterMap> normalizer;
    std::optional<CharacterMap> denormalizer;
};

void appendVarint(std::string& message, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        message += static_cast<char>((value & 0x7FU) | 0x80U);
    message += static_cast<char>(value);
}

void appendField(std::string& message, std::uint64_t number, std::string_view content)
{
    appendVarint(message, number << 3 | 2U);
    appendVarint(message, content.size());
    message += content;
}

void appendField(std::string& message, std::uint64_t number, std::uint64_t value)
{
    appendVarint(message, number << 3);
    appendVarint(message, value);
}

constexpr int byteCount = 256;

// The same model without the texts that it is to be tested with: the library would cut them all, however long they
// are, and print those that it cuts otherwise.
std::string withoutTests(std::span<const std::byte> proto, const std::string& where)
{
    constexpr std::uint64_t tests = 4;
    std::string result;
    for (FieldReader fields(proto, where); !fields.atEnd();) {
        const std::size_t begin = fields.position();
        if (fields.next().number != tests)
            result.append(reinterpret_cast<const char*>(proto.data()) + begin, fields.position() - begin);
    }
    return result;
}

// The same model, which spells characters that it does not know as bytes: "<0x00>" to "<0xFF>" are its last pieces.
std::string withByteSpelling(std::string proto)
{
    constexpr std::uint64_t piece = 1;
    constexpr std::uint64_t trainer = 2;
    constexpr std::uint64_t text = 1;
    constexpr std::uint64_t type = 3;
    constexpr std::uint64_t byteType = 6;
    std::string result = std::move(proto);
    for (int byte = 0; byte < byteCount; ++byte) {
        std::string added;
        appendField(added, text, fmt::format("<0x{:02X}>", byte));
        appendField(added, type, byteType);
        appendField(result, piece, added);
    }
    std::string changed; // a part given again adds to what was given before
    appendField(changed, byteFallback, std::uint64_t{1});
    appendField(result, trainer, changed);
    return result;
}

// Walks the protocol buffer for what the library trusts without looking: the pieces' lengths, and the normalization
// tables, double-array tries that it follows without bounds.
ProtoContents checkProto(std::span<const std::byte> proto, const std::string& where)
{
    constexpr std::uint64_t piece = 1;
    constexpr std::uint64_t trainer = 2;
    constexpr std::uint64_t normalizer = 3;
    constexpr std::uint64_t denormalizer = 5;
    ProtoContents found;
    bool isWhole = false; // what says how texts are cut stands behind the pieces
    for (FieldReader fields(proto, where); !fields.atEnd();) {
        const Field field = fields.next();
        isWhole = isWhole || field.number == trainer || field.number == normalizer;
        if (field.number == piece && ++found.pieces > limit(Limit::Pieces))
            throw Error(ErrorKind::Format, where, fmt::format("has more than {} pieces", limit(Limit::Pieces)),
                        otherLimit(Limit::Pieces));
        if (field.number == piece)
            checkPiece(field.bytes, where);
        else if (field.number == trainer) {
            found.algorithm = algorithmName(field.bytes, where);
            found.spellsBytes = spellsBytes(field.bytes, found.spellsBytes, where);
        } else if (field.number == normalizer || field.number == denormalizer)
            readReplacements(field.bytes, where, field.number == normalizer ? found.normalizer : found.denormalizer);
    }
    if (found.pieces == 0)
        refusePieces(where);
    if (!isWhole)
        throw Error(ErrorKind::Format, where, "ends behind its pieces, without saying how it cuts texts",
                    "the file is incomplete; get it again");
    return found;
}

std::optional<TokenId> validId(int id)
{
    return id < 0 ? std::nullopt : std::optional<TokenId>(id);
}

// For the text, and for what becomes of it, the bytes of which are returned: at most so many, and counted where they
// may be more than `few`.
std::uint64_t requireRoom(const std::optional<CharacterMap>& map, std::string_view text, std::uint64_t few)
{
    requireTextRoom(text.size());
    if (!map || text.size() * map->longestReplacement() <= few)
        return text.size();
    const std::uint64_t bytes = map->mostBytes(text, limit(Limit::Normalized));
    requireTextRoom(bytes);
    return bytes;
}

void check(const sentencepiece::util::Status& status, ErrorKind kind, const std::string& where)
{
    if (!status.ok())
        throw Error(kind, where, fmt::format("SentencePiece refuses it: {}", status.message()));
}

std::unique_ptr<sentencepiece::SentencePieceProcessor> loadedProcessor(std::string_view proto, std::uint64_t pieces,
                                                                       const std::string& where)
{
    // As measured of models with 500,000 pieces of 4 to 100 bytes.
    constexpr std::uint64_t memoryOfPiece = 200;
    constexpr std::uint64_t memoryOfByte = 14;
    requireMemory(pieces * memoryOfPiece + proto.size() * memoryOfByte, where);
    auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
    try {
        check(processor->LoadFromSerializedProto(proto), ErrorKind::Format, where);
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) { // from the library's trie builder
        throw Error(ErrorKind::Format, where, fmt::format("SentencePiece refuses it: {}", error.what()));
    }
    return processor;
}

std::vector<SentencePieceModel::Piece> piecesOf(const sentencepiece::SentencePieceProcessor& processor,
                                                std::string_view text)
{
    sentencepiece::ImmutableSentencePieceText encoded;
    check(processor.Encode(text, encoded.mutable_proto()), ErrorKind::Input, "text");
    std::vector<SentencePieceModel::Piece> pieces;
    pieces.reserve(encoded.pieces_size());
    for (const auto& piece : encoded.pieces())
        pieces.push_back({piece.piece(), {piece.begin(), piece.end()}});
    return pieces;
}

} // namespace

SentencePieceModel::SentencePieceModel(const std::filesystem::path& path)
{
    const std::string proto = readWholeFile(path, Limit::Vocabulary);
    refuseByStart(std::as_bytes(std::span(proto)), path.string());
    load(std::as_bytes(std::span(proto)), path.string());
}

SentencePieceModel::SentencePieceModel(std::span<const std::byte> proto, const std::string& where)
{
    load(proto, where);
}

SentencePieceModel::~SentencePieceModel() = default;

void SentencePieceModel::load(std::span<const std::byte> proto, const std::string& where)
{
    ProtoContents found = checkProto(proto, where);
    m_algorithm = std::move(found.algorithm);
    m_normalizer = std::move(found.normalizer);
    m_denormalizer = std::move(found.denormalizer);
    m_spellsBytes = found.spellsBytes;
    m_processor = loadedProcessor(withoutTests(proto, where), found.pieces, where);
}

// Null where the model's own pieces are spelled like bytes.
const sentencepiece::SentencePieceProcessor* SentencePieceModel::byteSpeller() const
{
    std::call_once(m_isAsked, [this] {
        for (int id = 0; id < m_processor->GetPieceSize(); ++id)
            if (byteOfPiece(m_processor->IdToPiece(id)))
                return;
        m_byteSpeller = loadedProcessor(withByteSpelling(m_processor->serialized_model_proto()),
                                        static_cast<std::uint64_t>(m_processor->GetPieceSize()), "text");
    });
    return m_byteSpeller.get();
}

// The library puts neighbouring unknown characters together one by one, and copies those before each time; not where
// it spells them as bytes. These are put together here.
std::vector<SentencePieceModel::Piece> SentencePieceModel::encodeLong(std::string_view text, std::uint64_t bytes) const
{
    constexpr std::size_t mostJoined = 256 * 1024; // bytes that the library may put together
    const bool mayHoldSpelling = m_algorithm == "word" && text.find("<0x") != std::string_view::npos;
    const auto* const speller = mayHoldSpelling ? nullptr : byteSpeller();
    if (speller == nullptr && bytes > mostJoined)
        throw Error(
            ErrorKind::Resource, "text",
            fmt::format("has {} bytes, more than the {} that this SentencePiece model cuts in time", bytes, mostJoined),
            "shorten the text");
    if (speller == nullptr)
        return piecesOf(*m_processor, text);
    const int firstByte = m_processor->GetPieceSize();
    sentencepiece::ImmutableSentencePieceText encoded;
    check(speller->Encode(text, encoded.mutable_proto()), ErrorKind::Input, "text");
    std::vector<Piece> pieces;
    bool afterUnknown = false;
    for (const auto& piece : encoded.pieces()) {
        const bool isUnknown = static_cast<int>(piece.id()) >= firstByte;
        if (!isUnknown)
            pieces.push_back({piece.piece(), {piece.begin(), piece.end()}});
        else if (!afterUnknown)
            pieces.push_back({{}, {piece.begin(), piece.end()}});
        if (isUnknown) {
            pieces.back().text += static_cast<char>(static_cast<int>(piece.id()) - firstByte);
            pieces.back().span.end = piece.end();
        }
        afterUnknown = isUnknown;
    }
    return pieces;
}

std::vector<SentencePieceModel::Piece> SentencePieceModel::encode(std::string_view text) const
{
    constexpr std::size_t longText = 64 * 1024; // bytes; in shorter ones putting unknown characters together is quick
    ThreadStop::check();
    requireUtf8(text, "text");
    const std::uint64_t bytes = requireRoom(m_normalizer, text, longText);
    auto pieces = bytes > longText && !m_spellsBytes ? encodeLong(text, bytes) : piecesOf(*m_processor, text);
    ThreadStop::check();
    return pieces;
}

// The library copies a piece it does not know, word marks included; Marian's shared vocabulary holds such pieces.
std::string SentencePieceModel::readable(const std::string& piece, bool first) const
{
    const int id = m_processor->PieceToId(piece);
    if (!m_processor->IsUnknown(id) || m_processor->IdToPiece(id) == piece)
        return piece;
    std::string text;
    for (std::size_t position = 0; position < piece.size();) {
        const std::size_t mark = std::min(piece.find(wordStartMark, position), piece.size());
        text.append(piece, position, mark - position);
        if (mark < piece.size() && !(first && mark == 0))
            text += ' ';
        position = mark + wordStartMark.size();
    }
    return text;
}

SentencePieceModel::Decoded SentencePieceModel::decode(const std::vector<std::string>& pieces) const
{
    std::vector<std::string> known;
    std::uint64_t bytes = 0;
    for (const std::string& piece : pieces) {
        known.push_back(readable(piece, known.empty()));
        bytes += known.back().size();
    }
    requireTextRoom(bytes * (m_denormalizer ? std::max<std::size_t>(m_denormalizer->longestReplacement(), 1) : 1));
    sentencepiece::ImmutableSentencePieceText decoded;
    check(m_processor->Decode(known, decoded.mutable_proto()), ErrorKind::Input, "pieces");
    Decoded result{decoded.text(), {}};
    for (const auto& piece : decoded.pieces())
        result.spans.push_back({piece.begin(), piece.end()});
    result.spans.resize(pieces.size());
    return result;
}

std::vector<std::string> SentencePieceModel::pieces() const
{
    std::vector<std::string> pieces;
    for (int id = 0; id < m_processor->GetPieceSize(); ++id)
        pieces.push_back(m_processor->IdToPiece(id));
    return pieces;
}

std::vector<TokenId> SentencePieceModel::controlTokens() const
{
    std::vector<TokenId> tokens;
    for (int id = 0; id < m_processor->GetPieceSize(); ++id)
        if (m_processor->IsControl(id))
            tokens.push_back(id);
    return tokens;
}

NamedTokens SentencePieceModel::named() const
{
    NamedTokens named;
    named.bos = validId(m_processor->bos_id());
    named.eos = validId(m_processor->eos_id());
    named.pad = validId(m_processor->pad_id());
    named.unk = validId(m_processor->unk_id());
    return named;
}

namespace {

// The pieces of a model, by the ids that a network gives them.
class SentencePieceSubwords final : public SubwordModel
{
public:
    SentencePieceSubwords(SentencePieceParts parts, std::string description, bool hasBytes)
        : SubwordModel(parts.vocabulary, std::move(description), hasBytes)
        , m_parts(std::move(parts))
    {
    }

    void cut(const AlignedText& text, std::vector<Subword>& subwords) const override
    {
        for (const auto& piece : pieces(text.text(), text.sourceBegin(0) == 0)) {
            const auto id = vocabulary().find(piece.text);
            const bool isText = id && !m_parts.silent.contains(*id);
            subwords.push_back({isText ? *id : m_parts.unknown, piece.span, piece.text.starts_with(wordStartMark)});
        }
    }

private:
    // Some models drop blanks at the start of a text; one behind an added token stays.
    std::vector<SentencePieceModel::Piece> pieces(std::string_view stretch, bool isFirst) const
    {
        if (isFirst || !m_parts.inner)
            return m_parts.model->encode(stretch);
        auto result = m_parts.inner->encode(stretch);
        const bool isMarked = !result.empty() && result.front().text.starts_with(wordStartMark);
        return stretch.starts_with(' ') && !isMarked ? m_parts.model->encode(stretch) : result;
    }

    SentencePieceParts m_parts;
};

} // namespace

std::shared_ptr<const SubwordModel> sentencePieceSubwords(SentencePieceParts parts)
{
    std::string description =
        fmt::format("SentencePiece {}, {} pieces", parts.model->algorithm(), parts.vocabulary->size());
    const bool hasBytes = parts.vocabulary->find("<0x00>").has_value();
    return std::make_shared<const SentencePieceSubwords>(std::move(parts), std::move(description), hasBytes);
}

TokenDecoder sentencePieceDecoder(std::shared_ptr<const SentencePieceModel> model)
{
    return [model = std::move(model)](std::vector<std::string>& pieces) {
        const SentencePieceModel::Decoded decoded = model->decode(pieces);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const bool isLast = i + 1 == pieces.size();
            const std::size_t end = isLast ? decoded.text.size() : std::max(begin, decoded.spans[i].end);
            pieces[i] = decoded.text.substr(begin, end - begin);
            begin = end;
        }
    };
}

} // namespace attn
