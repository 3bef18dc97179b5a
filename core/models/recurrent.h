// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/score.h"
#include "models/model_info.h"
#include "models/picture_encoder.h"
#include "models/sequence_model.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/recurrent.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace attn {

struct RecurrentStack
{
    Cell cell = Cell::Gru;
    int layers = 1;
    int hidden = 0; // of one direction
    bool bidirectional = false; // the encoder only
};

// Source of the decoder's first state (formats.md section 2, "z").
enum class InitialState : std::uint8_t {
    FirstBackward,
    Mean,
    Last,
    Copy, // each layer's final state of the encoder, as it is
};

// When a step attends: Bahdanau's decoder with its previous state, before it reads; Luong's with its new state.
enum class DecoderStyle : std::uint8_t { Bahdanau, Luong };

enum class OutputKind : std::uint8_t {
    Tanh, // tanh(W [state; context; embedding])
    Maxout, // the larger of each pair of W [state; context; embedding]
    Attentional, // tanh(W [context; state])
    Deep, // W [state; context] + embedding (Xu et al. 2015, equation 7)
};

struct RecurrentScore; // a row of the family's table

// A recurrent encoder-decoder in the style of Bahdanau et al. 2015 or Luong et al. 2015: what the family reads from
// config.json.
struct RecurrentConfig
{
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    int embedding = 0;
    RecurrentStack encoder;
    RecurrentStack decoder;
    DecoderStyle style = DecoderStyle::Bahdanau;
    bool inputFeeding = false; // Luong: the output layer's features enter the next step
    InitialState initialState = InitialState::FirstBackward;
    OutputKind output = OutputKind::Tanh;
    int outputSize = 0;
    bool outputTanh = false; // Deep: of the sum
    bool outputEmbedding = true; // Deep: the embedding is a part of it
    const RecurrentScore* score = nullptr; // null: no attention
    int attentionSize = 0; // additive, concat, local_p
    int rank = 0; // low_rank
    AttentionScope scope = AttentionScope::Global;
    int window = 0; // of local attention
    AttentionMode mode = AttentionMode::Soft;
    bool temporal = false; // intra-temporal attention: what was scored high before counts less (Paulus et al. 2017)
    bool intraAttention = false; // the decoder's top state attends to those before it (Paulus et al. 2017)
    bool tieOutput = false;

    int annotationWidth() const { return encoder.hidden * (encoder.bidirectional ? 2 : 1); }
    // Width of what the decoder's first state is made of.
    int initialWidth() const
    {
        return initialState == InitialState::FirstBackward ? encoder.hidden : annotationWidth();
    }
};

// Weights of a recurrent decoder, and of an encoder that is recurrent, too, or reads pictures.
struct RecurrentModelWeights
{
    std::optional<Embedding> sourceEmbedding; // none: the encoder reads pictures
    Embedding targetEmbedding;
    std::vector<RecurrentLayer> encoder;
    std::vector<RecurrentLayer> decoder;
    std::optional<Linear> initial; // [layers*hidden, z]; none: states are copied from the encoder
    std::optional<Linear> initialCell; // LSTM only
    std::unique_ptr<const CompatibilityScore> attention; // null: one fixed context
    std::optional<Linear> position; // local_p, [size, hidden]
    std::optional<Linear> positionV; // local_p, [1, size]
    std::unique_ptr<const CompatibilityScore> intra; // of the decoder's own states; null: none
    Linear outputHidden;
    Linear output;
    std::optional<Linear> gate = {}; // of the context, [1, hidden]
    std::unique_ptr<const PictureEncoder> pictures = {}; // null: the encoder reads tokens
};

// A recurrent encoder on a tape: its layers, and their states at the end; of an encoder of pictures only the former.
struct RecordedEncoder
{
    Variable states; // [source * points, annotation width]
    std::vector<std::vector<RecurrentLayer::Recorded>> finals; // by layer and direction, [points, hidden]
};
// input: [source * points, width], of several runs the row of each after the other, source by source.
RecordedEncoder recordEncoder(Tape& tape, const std::vector<RecurrentLayer>& layers, Variable input, int points);

// Recurrent encoder-decoder: with additive attention RNNsearch (Bahdanau et al. 2015), with its new state as query the
// models of Luong et al. 2015, without attention the fixed context of Cho et al. 2014; behind a convolutional encoder
// the captioner of Xu et al. 2015.
class RecurrentModel final : public SequenceModel
{
public:
    RecurrentModel(RecurrentConfig config, ModelInfo info, RecurrentModelWeights weights);

    const ModelInfo& info() const override { return m_info; }
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& input, RunContext& context) const override;
    // The model must outlive the state.
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override;
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;
    Recording record(Tape& tape, const RecordedInput& input) const override;
    Variable recordLogits(Tape& tape, Variable rows, LogitCap cap) const override;

    const RecurrentConfig& config() const { return m_config; }
    const RecurrentModelWeights& weights() const { return m_weights; }

private:
    RecurrentConfig m_config;
    ModelInfo m_info;
    RecurrentModelWeights m_weights;
};

} // namespace attn
