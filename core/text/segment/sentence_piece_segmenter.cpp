// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece_segmenter.h"

#include "text/segment/subword_model.h"
#include "text/unicode/byte_level.h"
#include "text/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

SentencePieceSegmenter::SentencePieceSegmenter(std::shared_ptr<const SentencePieceModel> model, Vocabulary vocabulary,
                                               std::vector<TokenId> ids,
                                               std::shared_ptr<const SentencePieceModel> inner)
    : m_model(std::move(model))
    , m_inner(std::move(inner))
    , m_vocabulary(std::move(vocabulary))
    , m_ids(std::move(ids))
    , m_hasBytes(m_vocabulary.find(bytePiece(0)).has_value())
{
}

// Some models drop blanks at the start of a text; one behind an added token stays.
std::vector<SentencePieceModel::Piece> SentencePieceSegmenter::pieces(std::string_view stretch, bool isFirst) const
{
    if (isFirst || !m_inner)
        return m_model->encode(stretch);
    auto result = m_inner->encode(stretch);
    const bool isMarked = !result.empty() && result.front().text.starts_with(wordStartMark);
    return stretch.starts_with(' ') && !isMarked ? m_model->encode(stretch) : result;
}

std::vector<PlacedToken> SentencePieceSegmenter::encode(std::string_view text, ByteSpan segment) const
{
    std::vector<PlacedToken> tokens;
    int word = -1;
    const std::string_view stretch = text.substr(segment.begin, segment.end - segment.begin);
    for (const auto& piece : pieces(stretch, segment.begin == 0)) {
        if (word < 0 || piece.text.starts_with(wordStartMark))
            ++word;
        tokens.push_back(
            {m_ids[piece.id], {piece.span.begin + segment.begin, piece.span.end + segment.begin}, word, nullptr});
    }
    return tokens;
}

std::vector<std::size_t> SentencePieceSegmenter::wordStarts(std::string_view text) const
{
    std::vector<std::size_t> starts;
    for (const auto& piece : m_model->encode(text))
        if (starts.empty() || piece.text.starts_with(wordStartMark))
            starts.push_back(piece.span.begin);
    return starts;
}

std::vector<std::string> SentencePieceSegmenter::decode(std::vector<std::string> pieces) const
{
    const SentencePieceModel::Decoded decoded = m_model->decode(pieces);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool isLast = i + 1 == pieces.size();
        const std::size_t end = isLast ? decoded.text.size() : std::max(begin, decoded.spans[i].end);
        pieces[i] = decoded.text.substr(begin, end - begin);
        begin = end;
    }
    return pieces;
}

std::string SentencePieceSegmenter::description() const
{
    return fmt::format("SentencePiece {}, {} pieces", m_model->algorithm(), m_vocabulary.size());
}

std::string SentencePieceSegmenter::label(const std::string& piece) const
{
    const int byte = m_hasBytes ? byteOfPiece(piece) : -1;
    return byte < 0 ? piece : readableBytes(std::string(1, static_cast<char>(byte)));
}

} // namespace attn
