// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/multi_head.h"
#include "models/media_input.h"
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

// Positions that a stack adds to its embeddings.
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

// Place of a block f in its layer: x + scale output(f(input(x))), normalised by sum. A model has some of these:
// `input` alone is pre-norm, `sum` alone post-norm, `input` and `output` the sandwich of Gemma 2, `output` alone
// OLMo 2.
struct Residual
{
    std::optional<Norm> input;
    std::optional<Norm> output;
    std::optional<Norm> sum;
    float scale = 1;
    bool passesNormed = false; // what is added to is input(x), too (BLOOM)
    std::optional<Tensor> featureScales =
        {}; // of each feature of output(f(...)), [width] (LayerScale, Touvron et al. 2021)
};

// Bounds and slope of a gate: (clamp(W1 x) + 1) g sigmoid(slope g), where g = min(Wg x, limit) (gpt-oss).
struct ClampedGate
{
    float limit = 0;
    float slope = 1;
};

// W2 f(W1 x), or with a gate W2 (f(Wg x) * W1 x).
struct Perceptron
{
    Linear first;
    Linear second;
    std::optional<Linear> gate;
    Activation activation;
    std::optional<ClampedGate> clamped = {}; // instead of the activation

    void addTo(Engine& engine, NumberView input, MutableView sums) const;
};

// Rule by which a layer chooses experts from what its router says of a position, and weighs them.
struct Routing
{
    // The function from router logits to scores: softmax over all experts, over the chosen ones, or a sigmoid of each.
    enum class Scores : std::uint8_t { Softmax, SoftmaxOfChosen, Sigmoid };

    Scores scores = Scores::Softmax;
    int chosen = 1;
    bool normalized = false; // the weights of the chosen sum to 1 before they are scaled
    float scale = 1;
    int groups = 1; // of experts one after the other, of which the best keptGroups stay
    int keptGroups = 1;
    int groupBest = 1; // a group is as good as the sum of so many of its best
    std::vector<float> correction = {}; // added to the scores for the choice alone (DeepSeek-V3); empty: nothing
};

// Chosen experts, [rows, chosen]; none where a layer has no experts.
struct Routed
{
    std::vector<int> ids;
    Tensor weights;
};

// A mixture of experts (Shazeer et al. 2017): of several perceptrons few work on a position.
struct Experts
{
    Linear router;
    Routing routing;
    std::vector<Perceptron> each;

    Routed choose(Engine& engine, NumberView input) const;
    void addTo(Engine& engine, NumberView input, const Routed& routed, MutableView sums) const;
};

// A layer's other half: a perceptron, experts, or the sum of both.
struct FeedForward
{
    std::optional<Perceptron> dense;
    std::optional<Experts> experts;
    Residual residual;

    int width() const; // of what it reads
    int innerWidth() const; // of what it makes of it, at most
    Routed addTo(Engine& engine, NumberView input, MutableView sums) const;
};

// An attention block and how it stands in its layer.
struct AttentionBlockLayer
{
    MultiHeadAttention attention;
    Residual residual;

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
    bool parallel = false; // attention and feed-forward block read the same rows, and both are added to them

    // rows: [rows, width], in place. cross: null without cross attention.
    Routed apply(const AttentionRun& run, Tensor& rows, const AttentionBlockLayer::Grouping& selfGroups,
                 const AttentionBlockLayer::Grouping& crossGroups) const;
};

// Input of a stack: token embeddings, scaled, with positions and segments added, normalised, projected.
struct TokenInput
{
    std::optional<Embedding> tokens;
    float scale = 1;
    PositionTable positions;
    std::optional<Embedding> segments;
    std::optional<Norm> norm;
    std::optional<Linear> projection; // where the embeddings are narrower than the layers
    bool positionsLast = false; // added to what is normalised and projected
    // ESM: embeddings of this token are zeros, and all are scaled as if a share of 0.12 of the text were masked, as in
    // training (Rives et al. 2021).
    std::optional<TokenId> dropped = {};
    std::optional<Embedding> tasks = {}; // ERNIE: row 0 is added to every token

    // [ids, width]. numbers: PositionTable::numbers of the ids; empty: no positions are added.
    Tensor rows(Engine& engine, const Source& source, std::span<const int> numbers) const;
    // Factor of the embeddings of this text.
    float scaleOf(const Source& source) const;
    // Rows that segments and tasks add, [ids, width]; none: nothing.
    std::optional<Tensor> besidesTokens(Engine& engine, const Source& source) const;
};

// DeBERTa's convolution beside the first layer: norm(layer's output + f(convolution of the layer's input)).
struct ConvolutionBeside
{
    Linear kernel; // of the rows around a position, one after the other
    int size = 1; // of these rows, odd
    Activation activation = Activation::Tanh;
    Norm norm;

    // input, rows: [positions, width].
    void apply(Engine& engine, NumberView input, Tensor& rows) const;
};

struct TransformerStack
{
    TokenInput input;
    std::vector<TransformerLayer> layers; // as they are stored
    std::optional<Norm> finalNorm;
    std::vector<int> order = {}; // which of them each layer of the run is (ALBERT); empty: one after the other
    int layersOfState = 1; // layers from one reported state to the next
    std::optional<ConvolutionBeside> beside = {}; // of the first layer
    std::shared_ptr<const MediaInput> media =
        {}; // in place of tokens, for an encoder of pictures or sounds; null: tokens

    int depth() const { return static_cast<int>(order.empty() ? layers.size() : order.size()); }
    const TransformerLayer& layer(int index) const { return layers.at(order.empty() ? index : order.at(index)); }
    int width() const { return layers.front().feedForward.width(); }
    // Reports the embedding of the row that the capture asks for, where it is among those of the first layer's call.
    void report(const AttentionRun& run, const AttentionCall& call, const Source& source) const;
    // Rotary positions whose frequencies follow the length of the text; null: none.
    const RotaryPositions* lengthRotary() const;
};

// Runs rows through the layers of a stack that reads all its input at once; maps and states are reported as those of
// `stage`. rows: [input, width], in place. Throws Error{Cancelled}.
void runLayers(const TransformerStack& stack, Tensor& rows, Stage stage, Mask mask, RunContext& context);
// Bytes that this takes at most, with the rows of the first layer; hidden: states are kept.
std::uint64_t workBytesOf(const TransformerStack& stack, std::uint64_t rows, bool hidden);

// Layer from hidden states to logits.
struct OutputHead
{
    std::optional<Linear> transform; // masked-token heads
    std::optional<Activation> activation = Activation::Gelu; // of the transform
    std::optional<Norm> norm;
    float scale = 1; // of the hidden states
    Linear logits; // with the final bias, if any
    float cap = 0; // of the logits: cap tanh(logit / cap); 0: none

    // [rows, vocabulary] from [rows, width].
    Tensor apply(Engine& engine, NumberView hidden) const;
};

// States of an encoder that a head reads which classifies the whole input.
enum class Pooling : std::uint8_t {
    First,
    Mean,
    FirstTwo, // side by side
    FirstAndMean, // the first one beside the mean over all that are no special tokens
};

// At least one of the stacks. All layers of the decoder have cross attention when there is an encoder, else none.
struct TransformerParts
{
    std::optional<TransformerStack> encoder;
    std::optional<TransformerStack> decoder;
    std::optional<OutputHead> head; // of tokens, or of the model's task
    Pooling pooling = Pooling::First;
    std::optional<Linear> bridge = {}; // from the encoder's states to what the decoder reads
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
    Tensor classify(const EncoderOutput& encoded, RunContext& context) const override;
    // The model must outlive the state.
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override;
    Tensor positionalEncoding(int positions) const override;
    Tensor positionScores(Stage stage, int head, int positions) const override;
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;
    Recording record(Tape& tape, const RecordedInput& input) const override;
    Variable recordLogits(Tape& tape, Variable rows, LogitCap cap) const override;

    const TransformerParts& parts() const { return m_parts; }

private:
    Tensor inputRows(const TransformerStack& stack, const Source& source, RunContext& context) const;

    ModelInfo m_info;
    TransformerParts m_parts;
};

} // namespace attn
