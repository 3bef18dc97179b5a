// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/segmenter.h"
#include "text/segment/subword_model.h"
#include "text/steps/added_tokens.h"
#include "text/steps/normalizer.h"
#include "text/steps/pre_tokenizer.h"
#include "text/steps/token_decoder.h"

#include <memory>

namespace attn {

// Normalizer, pre-tokenizer and subword model one after the other.
class PipelineSegmenter final : public Segmenter
{
public:
    struct Steps
    {
        Normalizer normalizer; // may be empty, as may the next two
        PreTokenizer preTokenizer;
        TokenDecoder decoder;
        std::shared_ptr<const SubwordModel> model;
        AddedTokens added; // those that are found after normalization
        bool isByteLevel = false; // pieces are spelled as GPT-2 spells bytes
    };

    explicit PipelineSegmenter(Steps steps);

    std::vector<PlacedToken> encode(std::string_view text, ByteSpan segment) const override;
    std::vector<std::size_t> wordStarts(std::string_view text) const override;
    std::vector<std::string> decode(std::vector<std::string> pieces) const override;
    bool contains(TokenId id) const override { return m_steps.model->vocabulary().contains(id); }
    std::string piece(TokenId id) const override { return m_steps.model->vocabulary().piece(id); }
    std::string description() const override { return m_steps.model->description(); }
    bool spellsBytes() const override { return m_steps.isByteLevel || m_steps.model->hasByteFallback(); }
    std::string label(const std::string& piece) const override;

private:
    std::vector<AlignedText> words(AlignedText text) const;
    void encodeWords(AlignedText text, int& word, std::vector<PlacedToken>& tokens) const;

    Steps m_steps;
};

} // namespace attn
