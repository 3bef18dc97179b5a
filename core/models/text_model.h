// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/score.h"
#include "models/recording.h"
#include "models/sequence_model.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/recurrent.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Output of a model that reads a text: one vector.
class TextVector final : public EncoderOutput
{
public:
    TextVector(int length, Tensor vector);

    int sourceLength() const override { return m_length; }
    NumberView vector() const { return m_vector.matrix(); } // [1, width]

private:
    int m_length;
    Tensor m_vector;
};

// Encoder-only models with self-attention from before the Transformer: they read a text into one vector and, with
// labels, classify it.
class TextModel : public SequenceModel
{
public:
    const ModelInfo& info() const override { return m_info; }
    Tensor classify(const EncoderOutput& encoded, RunContext& context) const override;
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override; // throws Error{Input}
    Tensor embeddings(std::span<const TokenId> ids, Stage stage) const override;
    Variable recordLogits(Tape& tape, Variable rows, LogitCap cap) const override;

protected:
    TextModel(ModelInfo info, Embedding embedding, std::optional<Linear> classifier);

    // [source, embedding size]. Throws Error{Input} for a source that the model cannot read.
    Tensor embedded(const Source& source) const;
    // The same on a tape.
    Variable recordEmbedded(Tape& tape, const RecordedInput& input) const;
    // Bytes of these, and of the hidden states of every layer that reports some, where they are kept.
    std::uint64_t textBytes(const RunLength& length, const Capture& capture, int reportingLayers) const;

private:
    ModelInfo m_info;
    Embedding m_embedding;
    std::optional<Linear> m_classifier;
};

// The states of the last of several layers that read one after the other, [time, width]. watch: of all layers. Throws
// Error{Cancelled}.
Tensor topStates(const std::vector<RecurrentLayer>& layers, RunContext& context, NumberView input,
                 const RecurrentLayer::Watch& watch = {});

// Where sentences that end with the token `end` begin; what follows the last end token is a sentence too.
std::vector<int> sentenceStarts(std::span<const TokenId> ids, TokenId end);

// The attention of learned queries over rows: writes the weighted sums, [queries, annotation width].
// call.rows queries; starts: where the part of the keys begins that each query alone may see; empty: all see all.
Tensor pool(const LearnedQueryScore& score, RunContext& context, const AttentionCall& call, NumberView annotations,
            std::span<const int> starts = {});
// The same on a tape. edits: null: none.
Variable recordPool(Tape& tape, const LearnedQueryScore& score, const AttentionCall& call, const AttentionEdits* edits,
                    Variable annotations, std::span<const int> starts = {});

} // namespace attn
