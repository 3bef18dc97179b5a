// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/byte_spelling.h"
#include "base/special_tokens.h"
#include "base/thread_stop.h"
#include "base/utf8.h"
#include "trace/archive_parts.h"

#include <algorithm>
#include <string_view>

namespace attn {

namespace {

constexpr std::string_view sentencePieceMark = "\u2581";
constexpr std::string_view byteLevelMark = "\u0120";
constexpr std::string_view continuationMark = "##";

bool isSpecialPiece(std::string_view piece)
{
    if (piece == "<unk>" || piece == "[UNK]" || isMaskPiece(piece) || piece.size() < 3)
        return false;
    return (piece.front() == '<' && piece.back() == '>') || (piece.front() == '[' && piece.back() == ']');
}

bool areNumbers(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces)
{
    return std::ranges::equal(ids, pieces, [](TokenId id, const std::string& piece) {
        ThreadStop::check();
        return piece == unknownPiece(id);
    });
}

// What the pieces of one vocabulary use to show where words begin.
enum class Convention : std::uint8_t { Whole, StartMarked, ContinuationMarked };

Convention conventionOf(const std::vector<std::string>& pieces)
{
    const auto any = [&](std::string_view mark) {
        return std::ranges::any_of(pieces, [&](const std::string& piece) { return piece.starts_with(mark); });
    };
    if (any(sentencePieceMark) || any(byteLevelMark))
        return Convention::StartMarked;
    return any(continuationMark) ? Convention::ContinuationMarked : Convention::Whole;
}

// Pieces in GPT-2's spelling of bytes as people read them; nothing when they are spelled otherwise.
std::vector<std::string> byteLevelLabels(const std::vector<std::string>& pieces)
{
    std::vector<std::string> labels;
    bool hasMark = false;
    for (const std::string& piece : pieces) {
        ThreadStop::check();
        const auto bytes = isSpecialPiece(piece) ? std::optional(piece) : fromByteLevel(piece);
        if (!bytes)
            return {};
        hasMark = hasMark || piece.starts_with(byteLevelMark);
        labels.push_back(readableBytes(*bytes));
    }
    return hasMark ? labels : std::vector<std::string>{};
}

bool isWellFormed(std::string_view text)
{
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t begin = position;
        if (nextCodePoint(text, position) == replacementCharacter && position - begin == 1)
            return false;
    }
    return true;
}

// What pieces in GPT-2's spelling add to the text: their bytes, or their labels where bytes are missing.
std::vector<std::string> byteLevelTexts(const std::vector<std::string>& pieces, const std::vector<std::string>& labels)
{
    std::vector<std::string> texts;
    std::string all;
    for (const std::string& piece : pieces) {
        ThreadStop::check();
        std::string bytes = isSpecialPiece(piece) ? std::string() : fromByteLevel(piece).value_or(std::string());
        if (bytes.starts_with(' '))
            bytes.erase(0, 1);
        all += bytes;
        texts.push_back(std::move(bytes));
    }
    if (isWellFormed(all))
        return texts;
    texts = labels;
    for (std::string& text : texts)
        if (text.starts_with(sentencePieceMark))
            text.erase(0, sentencePieceMark.size());
    return texts;
}

} // namespace

Encoding encodingOfPieces(std::vector<TokenId> ids, std::vector<std::string> pieces)
{
    Encoding result;
    if (areNumbers(ids, pieces)) { // ids without a tokenizer
        result.ids = std::move(ids);
        result.tokens = std::move(pieces);
        return result;
    }
    const Convention convention = conventionOf(pieces);
    result.labels = byteLevelLabels(pieces);
    const auto texts = result.labels.empty() ? std::vector<std::string>{} : byteLevelTexts(pieces, result.labels);
    int word = -1;
    bool afterSpecial = true;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        ThreadStop::check();
        const std::string& piece = pieces[i];
        const bool special = isSpecialPiece(piece);
        const bool mask = isMaskPiece(piece); // a word of its own
        std::string_view letters = piece;
        bool starts = mask || convention != Convention::StartMarked;
        for (const std::string_view mark : {sentencePieceMark, byteLevelMark}) {
            if (letters.starts_with(mark)) {
                letters.remove_prefix(mark.size());
                starts = true;
            }
        }
        if (convention == Convention::ContinuationMarked && letters.starts_with(continuationMark)) {
            letters.remove_prefix(continuationMark.size());
            starts = false;
        }
        if (!texts.empty())
            letters = texts[i];
        result.special.push_back(special);
        if (special) {
            result.words.push_back(noWord);
            result.spans.push_back({result.text.size(), result.text.size()});
            afterSpecial = true;
            continue;
        }
        if (starts || afterSpecial)
            ++word;
        if (starts && !result.text.empty())
            result.text += ' ';
        afterSpecial = mask;
        result.words.push_back(word);
        result.spans.push_back({result.text.size(), result.text.size() + letters.size()});
        result.text += letters;
    }
    result.ids = std::move(ids);
    result.tokens = std::move(pieces);
    return result;
}

ArchiveTokens::ArchiveTokens(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces)
{
    for (std::size_t i = 0; i < std::min(ids.size(), pieces.size()); ++i) {
        ThreadStop::check();
        m_pieces.emplace(ids[i], pieces[i]);
    }
}

Encoding ArchiveTokens::describe(std::span<const TokenId> ids) const
{
    std::vector<std::string> pieces;
    for (const TokenId id : ids) {
        ThreadStop::check();
        const auto found = m_pieces.find(id);
        pieces.push_back(found == m_pieces.end() ? unknownPiece(id) : found->second);
    }
    return encodingOfPieces({ids.begin(), ids.end()}, std::move(pieces));
}

} // namespace attn
