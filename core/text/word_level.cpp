// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/word_level.h"

#include "text/unicode/unicode.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

WordLevelTokenizer::WordLevelTokenizer(std::shared_ptr<const Vocabulary> vocabulary, SpecialTokens special,
                                       bool appendEnd)
    : m_vocabulary(std::move(vocabulary))
    , m_special(std::move(special))
    , m_appendEnd(appendEnd)
{
}

Encoding WordLevelTokenizer::encode(std::string_view text) const
{
    requireUtf8(text, "text");
    Encoding encoding;
    encoding.text = text;
    const auto append = [&](TokenId id, ByteSpan span, int word) {
        encoding.ids.push_back(id);
        encoding.tokens.push_back(m_vocabulary->piece(id));
        encoding.spans.push_back(span);
        encoding.words.push_back(word);
        encoding.special.push_back(word < 0);
    };
    int word = 0;
    for (const ByteSpan span : splitAtWhitespace(text)) {
        const auto id = m_vocabulary->find(text.substr(span.begin, span.end - span.begin));
        append(id && !m_special.isSpecial(*id) ? *id : m_special.unknown.value_or(0), span, word++);
    }
    if (m_appendEnd && m_special.end)
        append(*m_special.end, {text.size(), text.size()}, -1);
    return encoding;
}

std::string WordLevelTokenizer::decode(std::span<const TokenId> ids) const
{
    return describe(ids).text;
}

Encoding WordLevelTokenizer::describe(std::span<const TokenId> ids) const
{
    Encoding encoding;
    encoding.ids.assign(ids.begin(), ids.end());
    int word = 0;
    for (const TokenId id : ids) {
        const bool special = m_special.isSpecial(id) || !m_vocabulary->contains(id);
        encoding.tokens.push_back(m_vocabulary->piece(id));
        encoding.special.push_back(special);
        encoding.words.push_back(special ? -1 : word++);
        if (!special && word > 1)
            encoding.text += ' ';
        const std::size_t begin = encoding.text.size();
        if (!special)
            encoding.text += encoding.tokens.back();
        encoding.spans.push_back({begin, encoding.text.size()});
    }
    return encoding;
}

std::string WordLevelTokenizer::description() const
{
    return fmt::format("word list, {} words", m_vocabulary->size());
}

NamedTokens WordLevelTokenizer::namedTokens() const
{
    NamedTokens named;
    named.eos = m_special.end;
    named.unk = m_special.unknown;
    return named;
}

} // namespace attn
