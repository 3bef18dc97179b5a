// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"
#include "models/transformer_config.h"
#include "models/transformer_layer.h"
#include "nn/embedding.h"

#include <memory>
#include <vector>

namespace attn {

// Weights of a Transformer encoder-decoder. The output projection has the final bias, if any, in it.
struct TransformerWeights
{
    Embedding sourceEmbedding;
    Embedding targetEmbedding;
    std::vector<TransformerLayer> encoder;
    std::vector<TransformerLayer> decoder; // all with cross attention
    Linear output;
};

// Transformer encoder-decoder (Vaswani et al. 2017).
class Transformer final : public SequenceModel
{
public:
    Transformer(TransformerConfig config, ModelInfo info, TransformerWeights weights);

    const ModelInfo& info() const override { return m_info; }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    // The model must outlive the state.
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override;
    Tensor positionalEncoding(int positions) const override;

    const TransformerConfig& config() const { return m_config; }
    const TransformerWeights& weights() const { return m_weights; }

private:
    TransformerConfig m_config;
    ModelInfo m_info;
    TransformerWeights m_weights;
};

} // namespace attn
