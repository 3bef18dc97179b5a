// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece.h"

#include "base/error.h"
#include "io/mapped_file.h"
#include "text/segment/sentence_piece_proto.h"
#include "text/unicode/unicode.h"
#include "text/words.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <fmt/format.h>

namespace attn {

namespace {

std::optional<TokenId> validId(int id)
{
    return id < 0 ? std::nullopt : std::optional<TokenId>(id);
}

void check(const sentencepiece::util::Status& status, ErrorKind kind, const std::string& where)
{
    if (!status.ok())
        throw Error(kind, where, fmt::format("SentencePiece refuses it: {}", status.message()));
}

} // namespace

SentencePieceModel::SentencePieceModel(const std::filesystem::path& path)
{
    const MappedFile file(path);
    load(file.bytes(), path.string());
}

SentencePieceModel::SentencePieceModel(std::span<const std::byte> proto, const std::string& where)
{
    load(proto, where);
}

SentencePieceModel::~SentencePieceModel() = default;

void SentencePieceModel::load(std::span<const std::byte> proto, const std::string& where)
{
    m_algorithm = checkSentencePieceProto(proto, where).algorithm;
    m_processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
    try {
        check(m_processor->LoadFromSerializedProto({reinterpret_cast<const char*>(proto.data()), proto.size()}),
              ErrorKind::Format, where);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) { // from the library's trie builder
        throw Error(ErrorKind::Format, where, fmt::format("SentencePiece refuses it: {}", error.what()));
    }
}

std::vector<SentencePieceModel::Piece> SentencePieceModel::encode(std::string_view text) const
{
    requireUtf8(text, "text");
    sentencepiece::ImmutableSentencePieceText encoded;
    check(m_processor->Encode(text, encoded.mutable_proto()), ErrorKind::Input, "text");
    std::vector<Piece> pieces;
    pieces.reserve(encoded.pieces_size());
    for (const auto& piece : encoded.pieces())
        pieces.push_back({piece.piece(), static_cast<TokenId>(piece.id()), {piece.begin(), piece.end()}});
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
    for (const std::string& piece : pieces)
        known.push_back(readable(piece, known.empty()));
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

std::optional<TokenId> SentencePieceModel::unknown() const
{
    return validId(m_processor->unk_id());
}

std::optional<TokenId> SentencePieceModel::start() const
{
    return validId(m_processor->bos_id());
}

std::optional<TokenId> SentencePieceModel::end() const
{
    return validId(m_processor->eos_id());
}

std::optional<TokenId> SentencePieceModel::padding() const
{
    return validId(m_processor->pad_id());
}

} // namespace attn
