// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/positions.h"
#include "models/sequence_model.h"
#include "models/transformer_layer.h"
#include "nn/embedding.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// What enters a stack: token embeddings, scaled, with positions and segments added, normalised, projected.
struct TokenInput
{
    Embedding tokens;
    float scale = 1;
    PositionTable positions;
    std::optional<Embedding> segments;
    std::optional<Norm> norm;
    std::optional<Linear> projection; // where the embeddings are narrower than the layers

    // [ids, width]. numbers: PositionTable::numbers of the ids; empty: no positions are added.
    Tensor rows(Engine& engine, const Source& source, std::span<const int> numbers) const;
};

struct TransformerStack
{
    TokenInput input;
    std::vector<TransformerLayer> layers;
    std::optional<Norm> finalNorm;
};

// From hidden states to logits.
struct OutputHead
{
    std::optional<Linear> transform; // masked-token heads
    Activation activation = Activation::Gelu;
    std::optional<Norm> norm;
    float scale = 1; // of the hidden states
    Linear logits; // with the final bias, if any

    // [rows, vocabulary] from [rows, width].
    Tensor apply(Engine& engine, NumberView hidden) const;
};

// At least one of the stacks. All layers of the decoder have cross attention when there is an encoder, else none.
struct TransformerParts
{
    std::optional<TransformerStack> encoder;
    std::optional<TransformerStack> decoder;
    std::optional<OutputHead> head;
};

// The Transformer (Vaswani et al. 2017) in all its forms: encoder-decoder, encoder-only and decoder-only. How one model
// differs from another is data.
class Transformer final : public SequenceModel
{
public:
    Transformer(ModelInfo info, TransformerParts parts);

    const ModelInfo& info() const override { return m_info; }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    Tensor predictMasked(const EncoderOutput& encoded, RunContext& context) const override;
    // The model must outlive the state.
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override;
    Tensor positionalEncoding(int positions) const override;
    Tensor positionScores(Stage stage, int head, int positions) const override;
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;

    const TransformerParts& parts() const { return m_parts; }

private:
    ModelInfo m_info;
    TransformerParts m_parts;
};

} // namespace attn
