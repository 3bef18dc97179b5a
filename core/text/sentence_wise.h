// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <memory>
#include <string_view>
#include <vector>

namespace attn {

// The sentences of a text, without the white space around them: cut at line feeds and after . ? ! … (and closing quotes
// and brackets behind them) that white space follows. Sentences of nothing but white space are left out.
std::vector<ByteSpan> sentencesOf(std::string_view text);

// Encodes sentence by sentence, each with the tokens that belong around a text of its own.
class SentenceWiseTokenizer final : public Tokenizer
{
public:
    explicit SentenceWiseTokenizer(std::shared_ptr<const Tokenizer> sentences);

    Encoding encode(std::string_view text) const override;
    std::string decode(std::span<const TokenId> ids) const override;
    Encoding describe(std::span<const TokenId> ids) const override;
    std::string description() const override;
    NamedTokens namedTokens() const override;

private:
    std::shared_ptr<const Tokenizer> m_sentences;
};

} // namespace attn
