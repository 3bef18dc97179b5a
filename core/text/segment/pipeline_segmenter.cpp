// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/pipeline_segmenter.h"

#include "text/unicode/byte_level.h"
#include "text/words.h"

#include <algorithm>
#include <utility>

namespace attn {

PipelineSegmenter::PipelineSegmenter(Steps steps)
    : m_steps(std::move(steps))
{
}

std::vector<AlignedText> PipelineSegmenter::words(AlignedText text) const
{
    std::vector<AlignedText> texts;
    if (!text.empty())
        texts.push_back(std::move(text));
    return m_steps.preTokenizer ? m_steps.preTokenizer(std::move(texts)) : texts;
}

// A stretch that the pre-tokenizer left whole holds a word from each word-start mark on.
void PipelineSegmenter::encodeWords(AlignedText text, int& word, std::vector<PlacedToken>& tokens) const
{
    std::vector<Subword> subwords;
    for (const AlignedText& stretch : words(std::move(text))) {
        subwords.clear();
        m_steps.model->cut(stretch.text(), subwords);
        for (const Subword& subword : subwords) {
            const bool isMarked =
                std::string_view(stretch.text()).substr(subword.range.begin).starts_with(wordStartMark);
            if (isMarked && subword.range.begin > 0)
                ++word;
            tokens.push_back({subword.id, stretch.source(subword.range), word, nullptr});
        }
        if (!subwords.empty())
            ++word;
    }
}

std::vector<PlacedToken> PipelineSegmenter::encode(std::string_view text, ByteSpan segment) const
{
    AlignedText aligned(text.substr(segment.begin, segment.end - segment.begin), segment.begin);
    if (m_steps.normalizer)
        aligned = m_steps.normalizer(std::move(aligned));
    std::vector<PlacedToken> tokens;
    int word = 0;
    if (!m_steps.added.hasNormalized()) {
        encodeWords(std::move(aligned), word, tokens);
        return tokens;
    }
    for (const auto& stretch : m_steps.added.split(aligned.text(), AddedTokens::Kind::Normalized)) {
        if (stretch.token == nullptr)
            encodeWords(aligned.slice(stretch.range), word, tokens);
        else
            tokens.push_back({stretch.token->id, aligned.source(stretch.range), word++, stretch.token});
    }
    return tokens;
}

std::vector<std::size_t> PipelineSegmenter::wordStarts(std::string_view text) const
{
    AlignedText aligned(text, 0);
    if (m_steps.normalizer)
        aligned = m_steps.normalizer(std::move(aligned));
    std::vector<std::size_t> starts;
    for (const AlignedText& stretch : words(std::move(aligned))) {
        starts.push_back(stretch.sourceBegin(0));
        for (std::size_t mark = stretch.text().find(wordStartMark, 1); mark != std::string::npos;
             mark = stretch.text().find(wordStartMark, mark + 1))
            starts.push_back(stretch.sourceBegin(mark));
    }
    return starts;
}

std::vector<std::string> PipelineSegmenter::decode(std::vector<std::string> pieces) const
{
    if (m_steps.decoder)
        m_steps.decoder(pieces);
    return pieces;
}

std::string PipelineSegmenter::label(const std::string& piece) const
{
    if (m_steps.isByteLevel) {
        const auto bytes = fromByteLevel(piece);
        return bytes ? readableBytes(*bytes) : piece;
    }
    const int byte = m_steps.model->hasByteFallback() ? byteOfPiece(piece) : -1;
    return byte < 0 ? piece : readableBytes(std::string(1, static_cast<char>(byte)));
}

} // namespace attn
