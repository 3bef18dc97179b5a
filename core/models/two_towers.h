// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"
#include "models/transformer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace attn {

// One vector of all states, by a learned query: y = attention(probe, x, x), then y + mlp(norm(y)) (Zhai et al. 2023).
struct PoolingHead
{
    Tensor probe; // [1, width]
    MultiHeadAttention attention;
    Norm norm;
    Perceptron perceptron;
};

// Networks that place a picture and a text in one space.
struct TowerParts
{
    TransformerStack picture;
    std::optional<PoolingHead> pooling; // none: the class token
    std::optional<Norm> classNorm; // of the class token alone
    std::optional<Linear> pictureProjection;
    TransformerStack text;
    Mask textMask = Mask::None;
    std::optional<TokenId> textEnd; // whose state stands for the text; none: the last one's
    bool largestEnds = false; // in place of textEnd the first token with the largest id
    std::optional<Linear> textProjection;
    float scale = 1; // of the similarity
    float shift = 0;
};

// Two Transformers side by side, of a picture and of a text, without attention between them: CLIP (Radford et al. 2021)
// and SigLIP (Zhai et al. 2023). The picture's is the encoder, the text's the decoder.
class TwoTowers final : public SequenceModel
{
public:
    TwoTowers(ModelInfo info, TowerParts parts);

    const ModelInfo& info() const override { return m_info; }
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    PictureMatch match(const EncoderOutput& encoded, std::span<const TokenId> text, RunContext& context) const override;
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override; // throws Error{Input}
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;
    Recording record(Tape& tape, const RecordedInput& input) const override;
    Variable recordLogits(Tape& tape, Variable rows, LogitCap cap) const override; // [1, 1], the similarity

private:
    Tensor pooled(NumberView states, RunContext& context) const;
    Variable recordPooled(Tape& tape, const RecordedInput& input, Variable states) const;
    Tensor textVector(std::span<const TokenId> text, RunContext& context) const;
    Index endOf(std::span<const TokenId> text) const;

    ModelInfo m_info;
    TowerParts m_parts;
};

} // namespace attn
