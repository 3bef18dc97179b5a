// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pipeline_tokenizer.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/token_text.h"
#include "base/utf8.h"
#include "text/steps/steps.h"
#include "text/unicode/character_map.h"
#include "text/unicode/regex.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// Bytes of memory for a text and its tokens while it is cut: characters that are tokens take as much, with
// SentencePiece, whose pieces are messages of their own; half of it without.
constexpr std::uint64_t bytesPerByte = 320;

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

// Trims spans in ascending order. A normalizer can make many tokens of one long stretch, which all have its span.
class SpanTrimmer
{
public:
    explicit SpanTrimmer(std::string_view text)
        : m_text(text)
    {
    }

    ByteSpan operator()(ByteSpan span)
    {
        if (span != m_last) {
            m_last = span;
            m_trimmed = trimmed(m_text, span);
        }
        return m_trimmed;
    }

private:
    std::string_view m_text;
    ByteSpan m_last;
    ByteSpan m_trimmed;
};

void addBytes(std::uint64_t& sum, std::uint64_t bytes)
{
    sum += bytes;
    requireTextRoom(sum);
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
    return added == nullptr ? m_parts.model->vocabulary().piece(id) : added->content;
}

// Masks, T5's sentinels and the unknown token stand for text.
bool PipelineTokenizer::isSpecial(TokenId id) const
{
    const AddedToken* added = m_parts.added.find(id);
    if (added == nullptr)
        return !m_parts.model->vocabulary().contains(id);
    const NamedTokens& named = m_parts.named;
    const bool isOnlyUnknown = id == named.unk && id != named.bos && id != named.eos && id != named.pad;
    return added->special && id != named.mask && !isOnlyUnknown && !added->content.starts_with("<extra_id_");
}

void PipelineTokenizer::append(Encoding& encoding, TokenId id, ByteSpan span, int word, Progress& progress) const
{
    encoding.ids.push_back(id);
    encoding.tokens.push_back(spelling(id));
    addBytes(progress.spelled, encoding.tokens.back().size());
    encoding.spans.push_back(span);
    encoding.words.push_back(word);
    encoding.special.push_back(word < 0);
}

AlignedText PipelineTokenizer::normalized(std::string_view text, std::size_t offset) const
{
    AlignedText aligned(text, offset);
    return m_parts.normalizer ? m_parts.normalizer(std::move(aligned)) : aligned;
}

std::vector<AlignedText> PipelineTokenizer::stretches(AlignedText text) const
{
    std::vector<AlignedText> texts;
    if (!text.empty())
        texts.push_back(std::move(text));
    return m_parts.preTokenizer ? m_parts.preTokenizer(std::move(texts)) : texts;
}

// A stretch that the pre-tokenizer left whole holds a word from each word-start mark on, and from where white space
// that has no mark begins or ends. original: what the text was before any step.
template<class Add>
void PipelineTokenizer::cutWords(AlignedText text, std::string_view original, Progress& progress, Add add) const
{
    std::vector<Subword> subwords;
    int& word = progress.word;
    for (const AlignedText& stretch : stretches(std::move(text))) {
        ThreadStop::check();
        addBytes(progress.split, stretch.size());
        subwords.clear();
        m_parts.model->cut(stretch, subwords);
        ByteSpan before;
        for (const Subword& subword : subwords) {
            const ByteSpan source = stretch.source(subword.range);
            const ByteSpan letters = m_parts.isByteLevel ? source : subword.range;
            const bool starts = subword.startsWord
                || std::string_view(stretch.text()).substr(subword.range.begin).starts_with(wordStartMark)
                || partsWords(m_parts.isByteLevel ? original : stretch.text(), before, letters);
            if (starts && &subword != &subwords.front())
                ++word;
            before = letters;
            add(subword.id, source, word);
        }
        word += subwords.empty() ? 0 : 1;
    }
}

// Bytes of the language code, as Marian's models have it, that a text begins with; 0 for none.
std::size_t PipelineTokenizer::leadingCode(std::string_view text) const
{
    constexpr std::string_view open = ">>";
    constexpr std::string_view close = "<<";
    const std::size_t end = text.starts_with(open) ? text.find(close) : std::string_view::npos;
    if (m_parts.leadingCode == LeadingCode::Text || end == std::string_view::npos)
        return 0;
    const std::string_view code = text.substr(0, end + close.size());
    const bool stands = end > open.size() && code.find('\n') == std::string_view::npos
        && m_parts.leadingCode == LeadingCode::Any && m_parts.named.unk;
    return find(code) || stands ? code.size() : 0;
}

void PipelineTokenizer::appendText(Encoding& encoding, Text text, Progress& progress) const
{
    int& word = progress.word;
    if (const std::size_t code = leadingCode(text.text); code > 0) {
        const auto known = find(text.text.substr(0, code));
        append(encoding, known ? *known : *m_parts.named.unk, {text.offset, text.offset + code},
               known ? noWord : word++, progress);
        text = {text.text.substr(code), text.offset + code};
    }
    SpanTrimmer trim(text.text);
    const auto add = [&](TokenId id, ByteSpan span, int index) {
        if (m_parts.processor.trimsSpans)
            span = trim(span);
        append(encoding, id, {span.begin + text.offset, span.end + text.offset}, index, progress);
    };
    const auto addAdded = [&](TokenId id, ByteSpan span) { add(id, span, isSpecial(id) ? noWord : word++); };
    for (const auto& [range, token] : m_parts.added.split(text.text, AddedTokens::Kind::Raw)) {
        if (token != nullptr) {
            addAdded(token->id, range);
            continue;
        }
        const AlignedText aligned = normalized(text.text.substr(range.begin, range.end - range.begin), range.begin);
        addBytes(progress.prepared, aligned.size());
        requireMemory(progress.prepared * bytesPerByte, "text");
        for (const auto& [inner, found] : m_parts.added.split(aligned.text(), AddedTokens::Kind::Normalized)) {
            if (found != nullptr)
                addAdded(found->id, aligned.source(inner));
            else
                cutWords(aligned.slice(inner), text.text, progress, add);
        }
    }
}

void PipelineTokenizer::assemble(Encoding& encoding, const Template& parts, const Text& first, const Text& second,
                                 Progress& progress) const
{
    std::size_t position = first.offset;
    for (const TemplatePart& part : parts) {
        if (part.kind == TemplatePart::Kind::Special) {
            for (const TokenId id : part.ids)
                append(encoding, id, {position, position}, noWord, progress);
        } else {
            const Text& text = part.kind == TemplatePart::Kind::First ? first : second;
            appendText(encoding, text, progress);
            position = text.offset + text.text.size();
        }
        encoding.segments.resize(encoding.size(), part.segment);
    }
}

Encoding PipelineTokenizer::encode(std::string_view text) const
{
    requireUtf8(text, "text");
    requireMemory(text.size() * bytesPerByte, "text");
    const RegexBudget budget;
    const GrowthBudget growth(text.size());
    Encoding encoding;
    encoding.text = text;
    Progress progress;
    for (const ByteSpan part : m_parts.bySentence ? sentencesOf(text) : std::vector{ByteSpan{0, text.size()}})
        assemble(encoding, m_parts.processor.single, {text.substr(part.begin, part.end - part.begin), part.begin}, {},
                 progress);
    encoding.segments.clear();
    addLabels(encoding);
    return encoding;
}

Encoding PipelineTokenizer::encodePair(std::string_view first, std::string_view second) const
{
    if (m_parts.processor.pair.empty())
        throw Error(ErrorKind::Input, "second text", "this model's tokenizer reads one text, not a pair",
                    "leave it out");
    requireUtf8(first, "text");
    requireUtf8(second, "second text");
    requireMemory((first.size() + second.size()) * bytesPerByte, "text");
    const RegexBudget budget;
    const GrowthBudget growth(first.size() + second.size());
    Encoding encoding;
    encoding.text.append(first).append("\n").append(second);
    Progress progress;
    assemble(encoding, m_parts.processor.pair, {first, 0}, {second, first.size() + 1}, progress);
    addLabels(encoding);
    return encoding;
}

Encoding PipelineTokenizer::describe(std::span<const TokenId> ids) const
{
    const RegexBudget budget;
    Encoding encoding;
    Progress progress;
    std::vector<std::string> written; // pieces that stand for text
    for (const TokenId id : ids)
        if (!isSpecial(id)) {
            written.push_back(spelling(id));
            addBytes(progress.prepared, written.back().size());
        }
    const GrowthBudget growth(progress.prepared);
    if (m_parts.decoder)
        m_parts.decoder(written);
    JoinedText decoded = joinedText(written);
    std::size_t position = 0;
    auto span = decoded.spans.begin();
    for (const TokenId id : ids) {
        const bool special = isSpecial(id);
        const ByteSpan place = special ? ByteSpan{position, position} : *span++;
        position = place.end;
        const bool trims = m_parts.processor.trimsSpans && !special;
        append(encoding, id, trims ? trimmed(decoded.text, place) : place, special ? noWord : 0, progress);
    }
    encoding.text = std::move(decoded.text);
    nameWords(encoding);
    addLabels(encoding);
    return encoding;
}

std::vector<std::size_t> PipelineTokenizer::wordStarts(std::string_view text) const
{
    std::vector<std::size_t> starts;
    for (const AlignedText& stretch : stretches(normalized(text, 0))) {
        starts.push_back(stretch.sourceBegin(0));
        for (std::size_t mark = stretch.text().find(wordStartMark, 1); mark != std::string::npos;
             mark = stretch.text().find(wordStartMark, mark + 1))
            starts.push_back(stretch.sourceBegin(mark));
    }
    return starts;
}

// Words as the text would be cut again; where no step prepares it, as the marks of the pieces say.
void PipelineTokenizer::nameWords(Encoding& encoding) const
{
    const bool isPrepared = m_parts.normalizer || m_parts.preTokenizer;
    const std::vector<std::size_t> starts = isPrepared ? wordStarts(encoding.text) : std::vector<std::size_t>{};
    int word = -1;
    bool isOpen = false; // the token before belongs to a word that may go on
    std::ptrdiff_t previous = 0; // starts up to that token
    ByteSpan before; // its bytes
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        if (encoding.special[i]) {
            isOpen = false;
            continue;
        }
        const std::size_t begin = trimmed(encoding.text, encoding.spans[i]).begin;
        const std::ptrdiff_t reached = std::ranges::upper_bound(starts, begin) - starts.begin();
        const bool isAdded = m_parts.added.find(encoding.ids[i]) != nullptr;
        if (!isOpen || reached != previous || isAdded || partsWords(encoding.text, before, encoding.spans[i])
            || (!isPrepared && encoding.tokens[i].starts_with(wordStartMark)))
            ++word;
        isOpen = !isAdded;
        before = encoding.spans[i];
        previous = reached;
        encoding.words[i] = word;
    }
}

// Form of a piece that people read: "Ð¼Ð¸" as "ми", "<0xE6>" as "<E6>".
std::string PipelineTokenizer::label(const std::string& piece) const
{
    std::optional<std::string> bytes;
    if (m_parts.isByteLevel)
        bytes = fromByteLevel(piece);
    else if (const auto byte = byteOfPiece(piece))
        bytes = std::string(1, *byte);
    return bytes ? readableBytes(*bytes) : piece;
}

void PipelineTokenizer::addLabels(Encoding& encoding) const
{
    if (!m_parts.isByteLevel && !m_parts.model->hasByteFallback())
        return;
    for (std::size_t i = 0; i < encoding.size(); ++i)
        encoding.labels.push_back(m_parts.added.find(encoding.ids[i]) == nullptr ? label(encoding.tokens[i])
                                                                                 : encoding.tokens[i]);
    labelParts(encoding);
}

std::string PipelineTokenizer::description() const
{
    return fmt::format("{}{}{}", m_parts.model->description(),
                       m_parts.origin.empty() ? std::string() : fmt::format(" ({})", m_parts.origin),
                       m_parts.bySentence ? ", sentence by sentence" : "");
}

} // namespace attn
