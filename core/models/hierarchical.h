// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/score.h"
#include "models/text_model.h"

#include <vector>

namespace attn {

// Where sentences that end with the token `end` begin; what follows the last end token is a sentence too.
std::vector<int> sentenceStarts(std::span<const TokenId> ids, TokenId end);

// The hierarchical attention network (Yang et al. 2016): words are read and summed by attention sentence by sentence,
// and so are the sentences. Two sites of the encoder: words, [sentences, source], and sentences, [1, sentences].
class HierarchicalModel final : public TextModel
{
public:
    struct Level
    {
        std::vector<RecurrentLayer> reader;
        LearnedQueryScore score;
    };
    struct Parts
    {
        Embedding embedding;
        Level words;
        Level sentences;
        std::optional<Linear> classifier;
    };
    // endToken: the last token of a sentence.
    HierarchicalModel(ModelInfo info, TokenId endToken, Parts parts);

    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;

private:
    Tensor readWords(const Tensor& input, std::span<const int> starts, RunContext& context) const;
    Tensor sumWords(const Tensor& annotations, std::span<const int> starts, RunContext& context) const;

    TokenId m_endToken;
    Level m_words;
    Level m_sentences;
};

} // namespace attn
