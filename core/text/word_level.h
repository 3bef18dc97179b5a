// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/vocabulary.h"
#include "text/tokenizer.h"

#include <memory>

namespace attn {

// Words between white space, looked up in a list.
class WordLevelTokenizer final : public Tokenizer
{
public:
    WordLevelTokenizer(std::shared_ptr<const Vocabulary> vocabulary, SpecialTokens special, bool appendEnd);

    Encoding encode(std::string_view text) const override;
    std::string decode(std::span<const TokenId> ids) const override;
    Encoding describe(std::span<const TokenId> ids) const override;
    std::string description() const override;
    NamedTokens namedTokens() const override;

private:
    std::shared_ptr<const Vocabulary> m_vocabulary;
    SpecialTokens m_special;
    bool m_appendEnd;
};

} // namespace attn
