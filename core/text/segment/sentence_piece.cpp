// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/sentence_piece.h"

#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

using Algorithm = SentencePieceFile::Algorithm;

std::string byteSpelling(unsigned char byte)
{
    return fmt::format("<0x{:02X}>", byte);
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result;
    while (true) {
        const std::size_t found = text.find(from);
        result += text.substr(0, found);
        if (found == std::string_view::npos)
            return result;
        result += to;
        text.remove_prefix(found + from.size());
    }
}

// Appends a replacement as the library aligns it: its last character stands for all of `source`, those before for its
// beginning.
void appendReplacement(AlignedText& result, std::string_view text, ByteSpan source)
{
    std::size_t last = text.empty() ? 0 : text.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0U) == 0x80) // a continuation byte
        --last;
    result.append(text.substr(0, last), {source.begin, source.begin});
    result.append(text.substr(last), source);
}

// Leaves the pieces in `kept` as they are.
AlignedText normalized(const SentencePieceFile::Normalization& steps, std::string_view text, bool addsPrefix,
                       const PrefixIndex& kept)
{
    const std::string_view blank = steps.marksBlanks ? wordStartMark : " ";
    // The longest kept piece or replaced sequence, else a character, and how many bytes of the text it takes.
    const auto next = [&](std::size_t position) {
        const std::string_view rest = text.substr(position);
        std::size_t length = 0;
        kept.visitPrefixes(rest, [&](std::size_t matched, int) { length = matched; });
        if (length == 0 && steps.map)
            if (const auto match = steps.map->findLongest(rest))
                return *match;
        if (length == 0)
            nextCodePoint(rest, length);
        return CharacterMap::Match{rest.substr(0, length), length};
    };
    std::size_t position = 0;
    while (steps.dropsBlanks && position < text.size() && next(position).replacement == " ")
        position += next(position).length;
    AlignedText result;
    if (position == text.size())
        return result;
    if (addsPrefix && !steps.marksWordEnds)
        result.append(blank, {position, position});
    bool afterBlank = steps.dropsBlanks;
    while (position < text.size()) {
        ThreadStop::check();
        auto [part, length] = next(position);
        while (afterBlank && part.starts_with(' '))
            part.remove_prefix(1);
        if (part.empty())
            result.extendLast(position + length);
        else {
            requireTextRoom(result.size() + part.size());
            appendReplacement(result, replaced(part, " ", blank), {position, position + length});
            afterBlank = steps.dropsBlanks && part.ends_with(' ');
        }
        position += length;
    }
    std::size_t end = result.size();
    while (steps.dropsBlanks && std::string_view(result.text()).substr(0, end).ends_with(blank))
        end -= blank.size();
    const std::size_t behind = end < result.size() ? result.sourceBegin(end) : text.size();
    if (end < result.size())
        result = result.slice({0, end});
    if (addsPrefix && steps.marksWordEnds)
        result.append(blank, {behind, behind});
    return result;
}

} // namespace

SentencePieceModel::SentencePieceModel(const std::filesystem::path& path)
{
    const std::string message = readWholeFile(path, Limit::Vocabulary);
    refuseByStart(std::as_bytes(std::span(message)), path.string());
    m_file = readSentencePieceFile(std::as_bytes(std::span(message)), path.string());
    prepare(path.string());
}

SentencePieceModel::SentencePieceModel(std::span<const std::byte> message, const std::string& where)
    : SentencePieceModel(readSentencePieceFile(message, where), where)
{
}

SentencePieceModel::SentencePieceModel(SentencePieceFile file, const std::string& where)
    : m_file(std::move(file))
{
    prepare(where);
}

void SentencePieceModel::prepare(const std::string& where)
{
    const auto refuse = [&](const std::string& what) {
        throw Error(ErrorKind::Format, where, what, "copy or download it again");
    };
    std::optional<TokenId> unknown;
    std::vector<PrefixIndex::Entry> userDefined;
    for (TokenId id = 0; id < indexSize(pieces()); ++id) {
        const std::string& piece = pieces()[id];
        const PieceType type = m_file.pieces.types[id];
        const TokenId first = *vocabulary().find(piece);
        if (first != id && isText(m_file.pieces.types[first]) == isText(type))
            refuse(fmt::format("holds the piece \"{}\" twice", piece));
        if (type == PieceType::Unknown && std::exchange(unknown, id))
            refuse("has two pieces for unknown text");
        if (type == PieceType::UserDefined)
            userDefined.push_back({piece, id});
        if (type == PieceType::Byte && (!m_file.spellsBytes || !byteOfPiece(piece)))
            refuse(fmt::format("holds a piece \"{}\" for a byte, which it does not spell", piece));
    }
    if (!unknown)
        refuse("has no piece for unknown text");
    for (int byte = 0; m_file.spellsBytes && byte < 256; ++byte)
        if (!idOf(byteSpelling(static_cast<unsigned char>(byte)), PieceType::Byte))
            refuse(fmt::format("spells bytes without a piece for byte {}", byte));
    m_unknown = *unknown;
    m_userDefined = PrefixIndex(std::move(userDefined), where);
    if (m_file.algorithm == Algorithm::Unigram)
        m_model = unigramModel(m_file.pieces, {.unknown = m_unknown, .singlePrecision = true}, where);
    else if (m_file.algorithm == Algorithm::Bpe)
        m_model = scoredBpeModel(m_file.pieces, m_unknown, false, where);
}

std::optional<TokenId> SentencePieceModel::idOf(const std::string& piece, PieceType type) const
{
    const auto id = vocabulary().find(piece);
    return id && m_file.pieces.types[*id] == type ? id : std::nullopt;
}

void SentencePieceModel::cut(const AlignedText& text, std::vector<Subword>& subwords) const
{
    if (m_model)
        return m_model->cut(text, subwords);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::string_view rest = std::string_view(text.text()).substr(begin);
        std::size_t length = 0;
        if (m_file.algorithm == Algorithm::Word)
            length = std::min(rest.find(wordStartMark, 1), rest.size());
        else
            m_userDefined.visitPrefixes(rest, [&](std::size_t matched, int) { length = matched; });
        if (length == 0)
            nextCodePoint(rest, length);
        subwords.push_back({vocabulary().find(rest.substr(0, length)).value_or(m_unknown), {begin, begin + length}});
        begin += length;
    }
}

// The last byte of a character, or of a word where the model knows whole ones, stands for it.
void SentencePieceModel::appendBytes(const AlignedText& text, ByteSpan range, std::vector<Piece>& pieces) const
{
    for (std::size_t end = range.begin; end < range.end;) {
        const std::size_t begin = end;
        nextCodePoint(text.text(), end);
        end = m_file.algorithm == Algorithm::Word ? range.end : end;
        const ByteSpan source = text.source({begin, end});
        for (std::size_t i = begin; i < end; ++i) {
            const std::string spelling = byteSpelling(static_cast<unsigned char>(text.text()[i]));
            pieces.push_back(
                {spelling, {source.begin, i + 1 < end ? source.begin : source.end}, *idOf(spelling, PieceType::Byte)});
        }
    }
}

std::vector<SentencePieceModel::Piece> SentencePieceModel::encode(std::string_view text, TextPart part) const
{
    requireUtf8(text, "text");
    const AlignedText prepared =
        normalized(m_file.normalizer, text, m_file.normalizer.addsPrefix && part == TextPart::Whole, m_userDefined);
    std::vector<Subword> subwords;
    cut(prepared, subwords);
    std::vector<Piece> pieces;
    pieces.reserve(subwords.size());
    bool afterUnknown = false;
    for (const auto& [id, range, _] : subwords) {
        const bool isUnknown = id == m_unknown;
        const ByteSpan source = prepared.source(range);
        if (isUnknown && m_file.spellsBytes)
            appendBytes(prepared, range, pieces);
        else if (isUnknown && afterUnknown) {
            pieces.back().text.append(prepared.text(), range.begin, range.end - range.begin);
            pieces.back().span.end = source.end;
        } else
            pieces.push_back({prepared.text().substr(range.begin, range.end - range.begin), source, id});
        afterUnknown = isUnknown;
    }
    return pieces;
}

// isStart: nothing has been read but blanks that are not shown; updated.
std::string SentencePieceModel::readable(std::string_view piece, bool& isStart) const
{
    const auto id = vocabulary().find(piece);
    if (id && m_file.pieces.types[*id] == PieceType::Control)
        return {};
    if (id == m_unknown) {
        isStart = isStart && m_file.unknownText.empty();
        return m_file.unknownText;
    }
    const bool hidesBlank =
        isStart && (m_file.normalizer.addsPrefix || m_file.normalizer.dropsBlanks) && piece.starts_with(wordStartMark);
    if (hidesBlank)
        piece.remove_prefix(wordStartMark.size());
    isStart = isStart && piece.empty() && !(hidesBlank && !m_file.normalizer.dropsBlanks);
    return replaced(piece, wordStartMark, " ");
}

void SentencePieceModel::decode(std::vector<std::string>& pieces) const
{
    const auto byteAt = [&](std::size_t i) {
        return m_file.spellsBytes && i < pieces.size() ? byteOfPiece(pieces[i]) : std::nullopt;
    };
    std::vector<std::size_t> ends; // of the pieces, in the text
    std::string text;
    bool isStart = true;
    for (std::size_t i = 0; i < pieces.size();) {
        std::string bytes;
        for (std::size_t next = i; byteAt(next); ++next)
            bytes += *byteAt(next);
        if (bytes.empty()) {
            text += readable(pieces[i++], isStart);
            requireTextRoom(text.size());
            ends.push_back(text.size());
        }
        for (std::size_t position = 0; position < bytes.size();) {
            const std::size_t begin = position;
            const char32_t character = nextCodePoint(bytes, position);
            ends.insert(ends.end(), position - begin - 1, text.size());
            appendUtf8(text, character);
            ends.push_back(text.size());
        }
        i += bytes.size();
        isStart = isStart && bytes.empty();
    }
    const auto& steps = m_file.denormalizer;
    const AlignedText result = steps.map ? normalized(steps, text, steps.addsPrefix, {}) : AlignedText(text, 0);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        std::size_t end = begin;
        while (end < result.size() && (i + 1 == pieces.size() || result.source({end, end + 1}).end <= ends[i]))
            ++end;
        pieces[i] = result.text().substr(begin, end - begin);
        begin = end;
    }
}

std::vector<TokenId> SentencePieceModel::controlTokens() const
{
    std::vector<TokenId> tokens;
    for (TokenId id = 0; id < indexSize(pieces()); ++id)
        if (m_file.pieces.types[id] == PieceType::Control)
            tokens.push_back(id);
    return tokens;
}

NamedTokens SentencePieceModel::named() const
{
    NamedTokens named;
    named.bos = idOf(m_file.begin, PieceType::Control);
    named.eos = idOf(m_file.end, PieceType::Control);
    named.pad = idOf(m_file.padding, PieceType::Control);
    named.unk = idOf(m_file.unknown, PieceType::Unknown);
    return named;
}

std::string SentencePieceModel::algorithm() const
{
    constexpr std::array names = {"unigram", "BPE", "word", "character"};
    return names.at(static_cast<std::size_t>(m_file.algorithm) - 1);
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
        if (isFirst || m_parts.behindTokens == SentencePieceModel::TextPart::Whole)
            return m_parts.model->encode(stretch);
        auto result = m_parts.model->encode(stretch, m_parts.behindTokens);
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
    return [model = std::move(model)](std::vector<std::string>& pieces) { model->decode(pieces); };
}

} // namespace attn
