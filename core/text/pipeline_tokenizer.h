// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/subword_model.h"
#include "text/steps/added_tokens.h"
#include "text/steps/post_processor.h"
#include "text/steps/steps.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <memory>
#include <string>

namespace attn {

// The one tokenizer, in the steps of Hugging Face's `tokenizers`: added tokens are found, the text between them is
// normalized, cut into stretches and these into subwords, and the tokens that the model wants stand around it all.
class PipelineTokenizer final : public Tokenizer
{
public:
    // Meaning of ">>fra<<" at the start of a text: text, a token where one was added, or else the unknown token.
    enum class LeadingCode : std::uint8_t { Text, Known, Any };

    struct Parts
    {
        Normalizer normalizer; // may be empty, as may the next two
        PreTokenizer preTokenizer;
        TokenDecoder decoder;
        std::shared_ptr<const SubwordModel> model;
        AddedTokens added;
        PostProcessor processor;
        NamedTokens named;
        std::string origin; // "tokenizer.json"; may be empty
        bool isByteLevel = false; // pieces are spelled as GPT-2 spells bytes
        bool bySentence = false; // every sentence has the tokens around a text for itself
        LeadingCode leadingCode = LeadingCode::Text;
    };

    explicit PipelineTokenizer(Parts parts);

    // The same tokenizer with other tokens around the text.
    std::shared_ptr<const PipelineTokenizer> with(PostProcessor processor) const;

    Encoding encode(std::string_view text) const override;
    Encoding encodePair(std::string_view first, std::string_view second) const override;
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

    // State of a text that is being cut.
    struct Progress
    {
        int word = 0; // the next
        std::uint64_t prepared = 0; // bytes of the normalized text
        std::uint64_t split = 0; // bytes of its stretches
        std::uint64_t spelled = 0; // bytes of the tokens
    };

    void append(Encoding& encoding, TokenId id, ByteSpan span, int word, Progress& progress) const;
    void appendText(Encoding& encoding, Text text, Progress& progress) const;
    template<class Add>
    void cutWords(AlignedText text, std::string_view original, Progress& progress, Add add) const;
    void assemble(Encoding& encoding, const Template& parts, const Text& first, const Text& second,
                  Progress& progress) const;
    void addLabels(Encoding& encoding) const;
    void nameWords(Encoding& encoding) const;
    AlignedText normalized(std::string_view text, std::size_t offset) const;
    std::vector<AlignedText> stretches(AlignedText text) const;
    std::vector<std::size_t> wordStarts(std::string_view text) const;
    std::size_t leadingCode(std::string_view text) const;
    bool isSpecial(TokenId id) const;
    std::string spelling(TokenId id) const;
    std::string label(const std::string& piece) const;

    Parts m_parts;
};

} // namespace attn
