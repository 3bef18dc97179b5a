// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/segmenter.h"
#include "text/steps/added_tokens.h"
#include "text/steps/post_processor.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>

namespace attn {

// Added tokens, the text between them, and the tokens that the model wants around it all.
class PipelineTokenizer final : public Tokenizer
{
public:
    struct Parts
    {
        std::shared_ptr<const Segmenter> segmenter;
        AddedTokens added;
        PostProcessor processor;
        NamedTokens named;
        std::string origin; // "tokenizer.json"
    };

    explicit PipelineTokenizer(Parts parts);

    // The same tokenizer with other tokens around the text.
    std::shared_ptr<const PipelineTokenizer> with(PostProcessor processor) const;

    Encoding encode(std::string_view text) const override;
    Encoding encodePair(std::string_view first, std::string_view second) const override;
    std::string decode(std::span<const TokenId> ids) const override;
    Encoding describe(std::span<const TokenId> ids) const override;
    std::string description() const override;
    NamedTokens namedTokens() const override { return m_parts.named; }
    std::optional<TokenId> find(std::string_view addedToken) const; // by its content
    const PostProcessor& processor() const { return m_parts.processor; }

private:
    struct Text
    {
        std::string_view text;
        std::size_t offset = 0; // in Encoding::text
    };

    void append(Encoding& encoding, TokenId id, ByteSpan span, int word) const;
    void appendText(Encoding& encoding, const Text& text, int& word) const;
    Encoding assemble(const Template& parts, std::string_view first, std::string_view second, bool isPair) const;
    void nameWords(Encoding& encoding) const;
    bool isSpecial(TokenId id) const;
    std::string spelling(TokenId id) const;

    Parts m_parts;
};

} // namespace attn
