// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pipeline_tokenizer.h"

#include "base/utf8.h"
#include "text/steps/part_labels.h"
#include "text/unicode/characters.h"
#include "text/unicode/unicode.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

struct Decoded
{
    std::string text; // UTF-8
    std::vector<ByteSpan> spans; // one per piece
};

// Puts the bytes of pieces together; a byte that is no character becomes U+FFFD.
Decoded joinedText(const std::vector<std::string>& parts)
{
    std::string bytes;
    for (const std::string& part : parts)
        bytes += part;
    Decoded result;
    std::vector<std::size_t> places; // where each byte went
    for (std::size_t position = 0; position < bytes.size();) {
        const std::size_t begin = position;
        const char32_t character = nextCodePoint(bytes, position);
        for (std::size_t i = begin; i < position; ++i)
            places.push_back(result.text.size() + i - begin);
        appendUtf8(result.text, character);
    }
    places.push_back(result.text.size());
    std::size_t begin = 0;
    for (const std::string& part : parts) {
        result.spans.push_back({places[begin], places[begin + part.size()]});
        begin += part.size();
    }
    return result;
}

ByteSpan trimmed(std::string_view text, ByteSpan span)
{
    ByteSpan kept{span.end, span.begin};
    for (std::size_t position = span.begin; position < span.end;) {
        const std::size_t begin = position;
        if (isWhitespace(nextCodePoint(text, position)))
            continue;
        kept.begin = std::min(kept.begin, begin);
        kept.end = std::min(position, span.end);
    }
    return kept.begin < kept.end ? kept : span;
}

} // namespace

PipelineTokenizer::PipelineTokenizer(Parts parts)
    : m_parts(std::move(parts))
{
}

std::shared_ptr<const PipelineTokenizer> PipelineTokenizer::with(PostProcessor processor) const
{
    Parts parts = m_parts;
    processor.trimsSpans = parts.processor.trimsSpans;
    parts.processor = std::move(processor);
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

std::optional<TokenId> PipelineTokenizer::find(std::string_view addedToken) const
{
    const AddedToken* token = m_parts.added.find(addedToken);
    return token == nullptr ? std::nullopt : std::optional(token->id);
}

std::string PipelineTokenizer::spelling(TokenId id) const
{
    const AddedToken* added = m_parts.added.find(id);
    return added == nullptr ? m_parts.segmenter->piece(id) : added->content;
}

// Masks, T5's sentinels and the unknown token stand for text.
bool PipelineTokenizer::isSpecial(TokenId id) const
{
    const AddedToken* added = m_parts.added.find(id);
    if (added == nullptr)
        return !m_parts.segmenter->contains(id);
    const NamedTokens& named = m_parts.named;
    const bool isOnlyUnknown = id == named.unk && id != named.bos && id != named.eos && id != named.pad;
    return added->special && id != named.mask && !isOnlyUnknown && !added->content.starts_with("<extra_id_");
}

void PipelineTokenizer::append(Encoding& encoding, TokenId id, ByteSpan span, int word) const
{
    encoding.ids.push_back(id);
    encoding.tokens.push_back(spelling(id));
    encoding.spans.push_back(span);
    encoding.words.push_back(word);
    encoding.special.push_back(word < 0);
    if (m_parts.segmenter->spellsBytes())
        encoding.labels.push_back(m_parts.added.find(id) == nullptr ? m_parts.segmenter->label(encoding.tokens.back())
                                                                    : encoding.tokens.back());
}

void PipelineTokenizer::appendText(Encoding& encoding, const Text& text, int& word) const
{
    const auto add = [&](TokenId id, ByteSpan span, int index) {
        if (m_parts.processor.trimsSpans)
            span = trimmed(text.text, span);
        append(encoding, id, {span.begin + text.offset, span.end + text.offset}, index);
    };
    for (const auto& stretch : m_parts.added.split(text.text, AddedTokens::Kind::Raw)) {
        if (stretch.token != nullptr) {
            add(stretch.token->id, stretch.range, isSpecial(stretch.token->id) ? -1 : word++);
            continue;
        }
        int last = -1;
        for (const PlacedToken& token : m_parts.segmenter->encode(text.text, stretch.range)) {
            add(token.id, token.span, token.added != nullptr && isSpecial(token.id) ? -1 : word + token.word);
            last = token.word;
        }
        word += last + 1;
    }
}

Encoding PipelineTokenizer::assemble(const Template& parts, std::string_view first, std::string_view second,
                                     bool isPair) const
{
    requireUtf8(first, "text");
    requireUtf8(second, "second text");
    Encoding encoding;
    encoding.text = first;
    if (isPair)
        encoding.text.append("\n").append(second);
    std::size_t position = 0;
    int word = 0;
    for (const TemplatePart& part : parts) {
        if (part.kind == TemplatePart::Kind::Special) {
            for (const TokenId id : part.ids)
                append(encoding, id, {position, position}, -1);
        } else {
            const bool isFirst = part.kind == TemplatePart::Kind::First;
            const Text text{isFirst ? first : second, isFirst ? 0 : first.size() + 1};
            appendText(encoding, text, word);
            position = text.offset + text.text.size();
        }
        if (isPair)
            encoding.segments.resize(encoding.size(), part.segment);
    }
    if (m_parts.segmenter->spellsBytes())
        labelParts(encoding);
    return encoding;
}

Encoding PipelineTokenizer::encode(std::string_view text) const
{
    return assemble(m_parts.processor.single, text, {}, false);
}

Encoding PipelineTokenizer::encodePair(std::string_view first, std::string_view second) const
{
    return assemble(m_parts.processor.pair, first, second, true);
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids) const
{
    return describe(ids).text;
}

Encoding PipelineTokenizer::describe(std::span<const TokenId> ids) const
{
    std::vector<std::string> written; // pieces that stand for text
    for (const TokenId id : ids)
        if (!isSpecial(id))
            written.push_back(spelling(id));
    Decoded decoded = joinedText(m_parts.segmenter->decode(std::move(written)));
    Encoding encoding;
    std::size_t position = 0;
    auto span = decoded.spans.begin();
    for (const TokenId id : ids) {
        const bool special = isSpecial(id);
        const ByteSpan place = special ? ByteSpan{position, position} : *span++;
        position = place.end;
        append(encoding, id, place, special ? -1 : 0);
    }
    encoding.text = std::move(decoded.text);
    nameWords(encoding);
    if (m_parts.segmenter->spellsBytes())
        labelParts(encoding);
    return encoding;
}

// Words as the text would be cut again.
void PipelineTokenizer::nameWords(Encoding& encoding) const
{
    const std::vector<std::size_t> starts = m_parts.segmenter->wordStarts(encoding.text);
    int word = -1;
    std::ptrdiff_t previous = -1; // starts up to the token before; -1 after a special token
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        if (encoding.special[i]) {
            previous = -1;
            continue;
        }
        const std::size_t begin = trimmed(encoding.text, encoding.spans[i]).begin;
        const std::ptrdiff_t reached = std::ranges::upper_bound(starts, begin) - starts.begin();
        if (reached != previous || m_parts.added.find(encoding.ids[i]) != nullptr)
            ++word;
        previous = m_parts.added.find(encoding.ids[i]) != nullptr ? -1 : reached;
        encoding.words[i] = word;
    }
}

std::string PipelineTokenizer::description() const
{
    return fmt::format("{} ({})", m_parts.segmenter->description(), m_parts.origin);
}

} // namespace attn
