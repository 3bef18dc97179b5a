// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "base/encoding.h"
#include "edits/edit_check.h"
#include "models/model_info.h"
#include "models/sequence_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

// Throws Error{Input} for an id that the vocabulary does not have. `what`: "source" or "target".
void checkIds(std::span<const TokenId> ids, int vocabulary, std::string_view what);

// Throws Error{Input} for an empty source and for one longer than the model's positions.
void checkSource(std::span<const TokenId> source, const ModelInfo& info);

// Throws the same for a text, and Error{Input} for a picture or sound that is missing, or has other places than the
// source's ids.
void checkInput(const Source& source, const ModelInfo& info);

// Throws Error{Input} when more decoder inputs would come than the model has positions.
void checkTargetLength(int inputs, const ModelInfo& info);

// Throws Error{Input} where several inputs come at once and there are more hypotheses than one.
void checkOneHypothesis(int hypotheses);
// Throws Error{Input} for other than one input for each live hypothesis, and for ids outside the vocabulary.
void checkInputs(std::span<const TokenId> inputs, int hypotheses, const ModelInfo& info);

// Logits of inputs that are fed one after the other, [inputs, target vocabulary].
Tensor stepByStep(DecoderState& state, std::span<const TokenId> inputs, const ModelInfo& info, RunContext& context);

// Throws Error{Input} for a parent that is not a live hypothesis.
void checkParents(std::span<const int> parents, int hypotheses);

// State of a run that its attention modules need.
AttentionRun attentionRun(RunContext& context);

void reportHidden(RunContext& context, Stage stage, int layer, int hypothesis, int firstRow, NumberView rows);

// Hidden states of one step: row r belongs to hypothesis r.
void reportHiddenOfHypotheses(RunContext& context, int layer, int position, NumberView rows);

// That a layer of the encoder, or a share of it, has been computed.
void reportLayer(RunContext& context, int layer, int layers, double share = 1);

// Bytes of the logits that are computed for so many rows at once; of each hypothesis's, which the search chooses from;
// and of those that the capture keeps.
std::uint64_t logitBytes(const ModelInfo& info, std::uint64_t rows, const RunLength& length, const Capture& capture);

template<typename Width>
constexpr std::uint64_t floatBytes(std::uint64_t rows, Width width)
{
    return rows * static_cast<std::uint64_t>(width) * sizeof(float);
}

// Every attention of a model, with heads but without rows and columns: of any sentence.
EditExtent editExtent(const ModelInfo& info);

// The same of one run. output: tokens of the decoder that are given, none where they grow; of a decoder-only model the
// whole sequence.
EditExtent editExtent(const ModelInfo& info, std::span<const TokenId> source, std::optional<Index> output);

// Input of the decoder of a model that predicts no tokens: the text of a decoder-only model, of another one the text
// moved right by one behind its start token (Lewis et al. 2020, section 3.1).
std::vector<TokenId> readInputs(const ModelInfo& info, std::span<const TokenId> ids);

// The rows of a decoder's head that the task asks for: of TaskHead::Text one, that of the last token that is no
// padding, of an encoder-decoder that of the source's last end token. Throws Error{Input} where there is no such
// token.
NumberView taskRows(const ModelInfo& info, std::span<const TokenId> ids, NumberView logits);

// All at once, as SequenceModel::classify. encoded: of the source; null for a decoder-only model.
Tensor taskLogits(const SequenceModel& model, const Source& source, std::shared_ptr<const EncoderOutput> encoded,
                  RunContext& context);

} // namespace attn
