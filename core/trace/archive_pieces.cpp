// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/encoding.h"
#include "base/language_codes.h"
#include "base/progress.h"
#include "base/token_text.h"
#include "base/utf8.h"
#include "trace/archive_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace attn {

namespace {

constexpr std::string_view byteLevelBlank = "\u0120";
constexpr std::string_view continuationMark = "##";
constexpr std::string_view joiner = "\uFFED";
constexpr std::string_view goesOnMark = "@@";
constexpr std::string_view wordEndMark = "</w>";

// --- special tokens ---

bool isOneOf(std::string_view word, std::string_view wordsWithBlanks)
{
    for (std::size_t begin = 0; begin < wordsWithBlanks.size();) {
        const std::size_t end = std::min(wordsWithBlanks.find(' ', begin), wordsWithBlanks.size());
        if (wordsWithBlanks.substr(begin, end - begin) == word)
            return true;
        begin = end + 1;
    }
    return false;
}

// The part between `open` and `close`; empty for other pieces.
std::string_view inside(std::string_view piece, std::string_view open, std::string_view close)
{
    if (piece.size() <= open.size() + close.size() || !piece.starts_with(open) || !piece.ends_with(close))
        return {};
    return piece.substr(open.size(), piece.size() - open.size() - close.size());
}

std::string inLowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return lower;
}

// "unused12" with the stem "unused".
bool isNumbered(std::string_view name, std::string_view stem)
{
    return name.size() > stem.size() && name.starts_with(stem)
        && name.find_first_not_of("0123456789", stem.size()) == std::string_view::npos;
}

bool isSpecialPiece(std::string_view piece)
{
    if (!inside(piece, "<|", "|>").empty() || !inside(piece, "<\uFF5C", "\uFF5C>").empty())
        return true;
    const std::string_view bracketed = inside(piece, "[", "]");
    if (isOneOf(bracketed, "CLS SEP PAD BOS EOS START END GO") || isNumbered(bracketed, "unused"))
        return true;
    const std::string name = inLowerCase(inside(piece, "<", ">"));
    constexpr std::string_view stems[] = {"unused", "special", "madeupword"};
    return isOneOf(name,
                   "s /s pad bos eos sos cls sep start end go blank eop eod eot sop bot start_of_turn end_of_turn "
                   "begin_of_text end_of_text fim_prefix fim_middle fim_suffix fim_pad")
        || std::ranges::any_of(stems, [&](std::string_view stem) { return isNumbered(name, stem); });
}

bool isLanguagePiece(std::string_view piece)
{
    const std::string_view ofMarian = inside(piece, ">>", "<<");
    if (!ofMarian.empty() && ofMarian.find_first_of("<> ") == std::string_view::npos)
        return true;
    return isOneOf(piece, mbartCodes) || isOneOf(piece, mbart50MoreCodes) || isOneOf(piece, nllbCodes)
        || isOneOf(inside(piece, "__", "__"), m2m100Codes);
}

// Which tokens stand for no text. Language codes are such at both ends of a text, elsewhere they are words of it.
std::vector<bool> specialPieces(const std::vector<std::string>& pieces)
{
    std::vector<bool> special;
    for (const std::string& piece : pieces) {
        ThreadStop::check();
        special.push_back(isSpecialPiece(piece));
    }
    const auto markCodes = [&](auto place) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (!special[place(i)] && !isLanguagePiece(pieces[place(i)]))
                return;
            special[place(i)] = true;
        }
    };
    markCodes([](std::size_t i) { return i; });
    markCodes([last = pieces.size() - 1](std::size_t i) { return last - i; });
    return special;
}

// --- spelling ---

// Signs by which the pieces of one vocabulary show where words begin and end.
enum class Spelling : std::uint8_t { Bytes, StartMarked, EndMarked, Joiners, GoesOnMarked, Whole };

std::string_view withoutCutCharacters(std::string_view bytes)
{
    constexpr std::size_t longest = 4; // bytes of a character
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
    for (std::size_t i = 1; i < longest && !bytes.empty() && continues(bytes.front()); ++i)
        bytes.remove_prefix(1);
    for (std::size_t size = 1; size < longest && size <= bytes.size(); ++size) {
        const auto first = static_cast<unsigned char>(bytes[bytes.size() - size]);
        if (first >= 0xC0U && size < (first >= 0xF0U ? 4U : first >= 0xE0U ? 3U : 2U))
            bytes.remove_suffix(size);
        if (!continues(static_cast<char>(first)))
            break;
    }
    return bytes;
}

// Adds up what speaks for and against GPT-2's spelling of bytes in neighbouring pieces.
class ByteEvidence
{
public:
    void add(std::string_view piece, std::string_view bytes)
    {
        const bool isBlank = bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
        m_for += isBlank || piece.starts_with(byteLevelBlank) ? 1 : 0;
        m_bytes += bytes;
    }

    // Where these pieces end. A character may have been cut off at both ends.
    void cut()
    {
        std::string_view bytes = withoutCutCharacters(m_bytes);
        for (std::size_t position = 0; position < bytes.size();) {
            const std::size_t begin = position;
            const char32_t character = nextCodePoint(bytes, position);
            m_against += character == replacementCharacter && position - begin == 1 ? 1 : 0;
            m_for += position - begin > 1 ? 1 : 0;
        }
        m_bytes.clear();
    }

    bool holds() const { return m_for > 0 && m_for >= m_against; }

private:
    std::string m_bytes;
    int m_for = 0; // blanks, and characters beyond ASCII
    int m_against = 0; // bytes of no character
};

bool areBytes(const std::vector<std::string>& pieces, const std::vector<bool>& special)
{
    ByteEvidence evidence;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        ThreadStop::check();
        const auto bytes = special[i] || pieces[i].empty() ? std::nullopt : fromByteLevel(pieces[i]);
        if (bytes)
            evidence.add(pieces[i], *bytes);
        else
            evidence.cut();
    }
    evidence.cut();
    return evidence.holds();
}

Spelling spellingOf(const std::vector<std::string>& pieces, const std::vector<bool>& special)
{
    if (areBytes(pieces, special))
        return Spelling::Bytes;
    const auto any = [&](auto marked) { return std::ranges::any_of(pieces, marked); };
    if (any([](std::string_view piece) { return piece.starts_with(wordStartMark); }))
        return Spelling::StartMarked;
    if (any([](std::string_view piece) { return piece.size() > wordEndMark.size() && piece.ends_with(wordEndMark); }))
        return Spelling::EndMarked;
    if (any([](std::string_view piece) { return piece.starts_with(joiner) || piece.ends_with(joiner); }))
        return Spelling::Joiners;
    if (any([](std::string_view piece) { return piece.size() > goesOnMark.size() && piece.ends_with(goesOnMark); }))
        return Spelling::GoesOnMarked;
    return Spelling::Whole;
}

struct ReadPiece
{
    std::string label = {};
    std::string letters = {}; // that it adds to the text
    bool joinsBefore = false; // to the piece before, if that stands for text
    bool joinsAfter = false;
    bool isAlone = false; // a word of its own, whatever its neighbours are
    bool isSpaced = false; // a word that begins with it has a blank before it
};

// A piece that goes on after "##" is all letters and digits; a text that itself begins with "##" seldom is.
bool isContinuation(std::string_view piece)
{
    const auto isLetter = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z')
            || (byte >= 'A' && byte <= 'Z');
    };
    return piece.size() > continuationMark.size() && piece.starts_with(continuationMark)
        && std::ranges::all_of(piece.substr(continuationMark.size()), isLetter);
}

std::string blanksForMarks(std::string_view piece)
{
    std::string text(piece);
    for (std::size_t at = text.find(wordStartMark); at != std::string::npos; at = text.find(wordStartMark, at))
        text.replace(at, wordStartMark.size(), " ");
    return text;
}

// Piece without marks at its ends, unless it is nothing but marks.
ReadPiece withoutMarks(std::string_view piece, std::string_view before, std::string_view after)
{
    ReadPiece read;
    std::string_view letters = piece;
    if (!before.empty() && letters.starts_with(before)) {
        letters.remove_prefix(before.size());
        read.joinsBefore = true;
    }
    const bool isMarked = letters.ends_with(after);
    if (isMarked)
        letters.remove_suffix(after.size());
    read.joinsAfter = isMarked || (letters.empty() && read.joinsBefore); // a joiner by itself joins both
    read.label = letters.empty() ? piece : letters;
    read.letters = letters;
    read.isSpaced = true;
    return read;
}

// follows: directly behind a piece that stands for text.
ReadPiece readPiece(Spelling spelling, const std::string& piece, bool follows)
{
    if (isMaskPiece(piece))
        return {.label = piece, .letters = piece, .isAlone = true, .isSpaced = true};
    if (const auto byte = byteOfPiece(piece)) {
        const std::string letters(1, *byte);
        return {.label = readableBytes(letters), .letters = letters, .joinsBefore = true};
    }
    switch (spelling) {
    case Spelling::Bytes:
        if (const auto bytes = fromByteLevel(piece))
            return {.label = readableBytes(*bytes), .letters = *bytes, .joinsBefore = !bytes->starts_with(' ')};
        return {.label = piece, .letters = piece, .isAlone = true};
    case Spelling::StartMarked:
        return {.label = piece, .letters = blanksForMarks(piece), .joinsBefore = !piece.starts_with(wordStartMark)};
    case Spelling::EndMarked: {
        ReadPiece read = withoutMarks(piece, {}, wordEndMark);
        read.joinsAfter = !read.joinsAfter;
        read.joinsBefore = read.letters.empty();
        return read;
    }
    case Spelling::Joiners:
        return withoutMarks(piece, joiner, joiner);
    case Spelling::GoesOnMarked:
        return withoutMarks(piece, {}, goesOnMark);
    case Spelling::Whole:
        break;
    }
    if (follows && isContinuation(piece))
        return {.label = piece, .letters = piece.substr(continuationMark.size()), .joinsBefore = true};
    return {.label = piece, .letters = piece, .isSpaced = true};
}

bool areNumbers(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces)
{
    return std::ranges::equal(ids, pieces, [](TokenId id, const std::string& piece) {
        ThreadStop::check();
        return piece == unknownPiece(id);
    });
}

} // namespace

Encoding encodingOfPieces(std::vector<TokenId> ids, std::vector<std::string> pieces,
                          const std::optional<std::vector<bool>>& special)
{
    Encoding result;
    if (!special && areNumbers(ids, pieces)) { // ids without a tokenizer
        result.ids = std::move(ids);
        result.tokens = std::move(pieces);
        return result;
    }
    result.special = special ? *special : specialPieces(pieces);
    const Spelling spelling = spellingOf(pieces, result.special);
    std::vector<std::string> letters;
    std::vector<bool> starts; // a word, by the marks
    ReadPiece before{.isAlone = true};
    bool isFirst = true; // no text has been read
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        ThreadStop::check();
        ReadPiece read{.isAlone = true};
        if (result.special[i]) {
            result.labels.push_back(pieces[i]);
        } else {
            read = readPiece(spelling, pieces[i], i > 0 && !result.special[i - 1]);
            result.labels.push_back(read.label);
        }
        starts.push_back(before.isAlone || read.isAlone || !(read.joinsBefore || before.joinsAfter));
        if (isFirst && read.letters.starts_with(' '))
            read.letters.erase(0, 1);
        else if (!isFirst && starts.back() && read.isSpaced && !read.joinsBefore)
            read.letters.insert(0, 1, ' ');
        isFirst = isFirst && result.special[i];
        letters.push_back(read.letters);
        before = std::move(read);
    }
    JoinedText joined = joinedText(letters);
    result.text = std::move(joined.text);
    int word = noWord;
    ByteSpan last;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        ThreadStop::check();
        ByteSpan span = joined.spans[i];
        if (!result.special[i] && (starts[i] || partsWords(result.text, last, span)))
            ++word;
        result.words.push_back(result.special[i] ? noWord : word);
        last = span;
        if (span.begin + 1 < span.end && result.text[span.begin] == ' ' && result.text[span.begin + 1] != ' ')
            ++span.begin;
        result.spans.push_back(span);
    }
    result.ids = std::move(ids);
    result.tokens = std::move(pieces);
    if (result.labels == result.tokens)
        result.labels.clear();
    else
        labelParts(result);
    return result;
}

} // namespace attn
