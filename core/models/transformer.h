// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/multi_head.h"
#include "models/sequence_model.h"
#include "nn/elementwise.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Positions that are added to the embeddings. In both sinusoidal kinds the sines of all frequencies fill the first half
// and the cosines the second.
enum class AddedPositions : std::uint8_t {
    None,
    Sinusoidal, // frequencies 10000^(-2i/width), as in Vaswani et al. 2017, section 3.5, and Marian
    SinusoidalSpread, // 10000^(-i/(width/2 - 1)): the last frequency is 1/10000, as in tensor2tensor and fairseq
    Learned,
};

// [positions.size(), width].
Tensor sinusoidalPositions(std::span<const int> positions, int width, AddedPositions kind);

// What a stack adds to its embeddings.
struct PositionTable
{
    AddedPositions kind = AddedPositions::None;
    int width = 0;
    std::optional<Embedding> learned;
    int offset = 0; // row of the text's first position
    std::optional<TokenId> padding; // a token that does not count and has the row of its own number

    // The row of each token that follows `first` others.
    std::vector<int> numbers(std::span<const TokenId> ids, int first) const;
    // [numbers.size(), width].
    Tensor rows(std::span<const int> numbers) const;
};

// Where a block normalises: its input (pre-norm) or the sum of its input and its output (post-norm).
enum class NormPlace : std::uint8_t { Before, After };

// W2 f(W1 x), or with a gate W2 (f(Wg x) * W1 x), with its residual connection and normalisation.
struct FeedForward
{
    Linear first;
    Linear second;
    std::optional<Linear> gate;
    Activation activation;
    Norm norm;
    NormPlace place;

    void apply(Engine& engine, Tensor& rows) const;
};

// An attention block with its residual connection and normalisation.
struct AttentionBlockLayer
{
    MultiHeadAttention attention;
    Norm norm;
    NormPlace place;

    // Makes the groups of what the attention reads.
    using Grouping = std::function<std::vector<AttentionGroup>(NumberView input)>;
    void apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const;
};

// One layer of the encoder, or of the decoder, there with or without cross attention.
struct TransformerLayer
{
    AttentionBlockLayer self;
    std::optional<AttentionBlockLayer> cross;
    FeedForward feedForward;
};

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
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    Tensor predictMasked(const EncoderOutput& encoded, RunContext& context) const override;
    // The model must outlive the state.
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override;
    std::unique_ptr<DecoderState> resume(const DecoderMark& mark, RunContext& context) const override;
    Tensor positionalEncoding(int positions) const override;
    Tensor positionScores(Stage stage, int head, int positions) const override;
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;

    const TransformerParts& parts() const { return m_parts; }

private:
    ModelInfo m_info;
    TransformerParts m_parts;
};

} // namespace attn
