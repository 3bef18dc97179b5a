// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/subword_tokenizer.h"

#include "text/unicode/unicode.h"
#include "text/words.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

SubwordTokenizer::SubwordTokenizer(std::shared_ptr<const SentencePieceModel> model,
                                   std::shared_ptr<const Vocabulary> vocabulary, SpecialTokens special, bool appendEnd,
                                   UnknownCode unknownCode)
    : m_model(std::move(model))
    , m_vocabulary(std::move(vocabulary))
    , m_special(std::move(special))
    , m_appendEnd(appendEnd)
    , m_unknownCode(unknownCode)
{
}

// Text never becomes a special token, whatever it says.
TokenId SubwordTokenizer::idOf(const SentencePieceModel::Piece& piece) const
{
    const auto id = m_vocabulary->find(piece.text);
    return id && !m_special.isSpecial(*id) ? *id : m_special.unknown.value_or(0);
}

// Length of the code in bytes, 0 when the text starts with none.
std::size_t SubwordTokenizer::languageCode(std::string_view text, std::optional<TokenId>& id) const
{
    constexpr std::string_view open = ">>";
    constexpr std::string_view close = "<<";
    const std::size_t end = text.starts_with(open) ? text.find(close) : std::string_view::npos;
    if (end == std::string_view::npos)
        return 0;
    id = m_vocabulary->find(text.substr(0, end + close.size()));
    const bool isCode = end > open.size() && text.substr(0, end).find('\n') == std::string_view::npos;
    if (!id && isCode && m_unknownCode == UnknownCode::Token)
        id = m_special.unknown;
    return id ? end + close.size() : 0;
}

Encoding SubwordTokenizer::encode(std::string_view text) const
{
    requireUtf8(text, "text");
    Encoding encoding;
    encoding.text = text;
    std::vector<std::string> spelled; // as in the text: unknown pieces, too, show where words start
    const auto append = [&](TokenId id, ByteSpan span, bool special, std::string spelling) {
        encoding.ids.push_back(id);
        encoding.tokens.push_back(m_vocabulary->piece(id));
        encoding.spans.push_back(span);
        encoding.special.push_back(special);
        spelled.push_back(std::move(spelling));
    };

    std::optional<TokenId> language;
    const std::size_t start = languageCode(text, language);
    if (language)
        append(*language, {0, start}, language != m_special.unknown, std::string(text.substr(0, start)));
    for (const SentencePieceModel::Piece& piece : m_model->encode(text.substr(start)))
        append(idOf(piece), {piece.span.begin + start, piece.span.end + start}, false, piece.text);
    if (m_appendEnd && m_special.end)
        append(*m_special.end, {text.size(), text.size()}, true, {});
    encoding.words = wordIndices(spelled, encoding.special);
    return encoding;
}

std::string SubwordTokenizer::decode(std::span<const TokenId> ids) const
{
    return describe(ids).text;
}

Encoding SubwordTokenizer::describe(std::span<const TokenId> ids) const
{
    Encoding encoding;
    encoding.ids.assign(ids.begin(), ids.end());
    std::vector<std::string> written; // pieces that stand for text
    for (const TokenId id : ids) {
        encoding.tokens.push_back(m_vocabulary->piece(id));
        encoding.special.push_back(m_special.isSpecial(id) || !m_vocabulary->contains(id));
        if (!encoding.special.back())
            written.push_back(encoding.tokens.back());
    }
    encoding.words = wordIndices(encoding.tokens, encoding.special);

    SentencePieceModel::Decoded decoded = m_model->decode(written);
    encoding.text = std::move(decoded.text);
    std::size_t position = 0;
    auto span = decoded.spans.begin();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (encoding.special[i]) {
            encoding.spans.push_back({position, position});
        } else {
            position = span->end;
            encoding.spans.push_back(*span++);
        }
    }
    return encoding;
}

std::string SubwordTokenizer::description() const
{
    return fmt::format("SentencePiece {}, {} pieces", m_model->algorithm(), m_vocabulary->size());
}

NamedTokens SubwordTokenizer::namedTokens() const
{
    NamedTokens named;
    named.eos = m_special.end;
    named.unk = m_special.unknown;
    return named;
}

} // namespace attn
