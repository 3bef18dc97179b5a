// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "models/sequence_model.h"

#include <span>
#include <string_view>

namespace attn {

// Throws Error{Input} for an id that the vocabulary does not have. `what`: "source" or "target".
void checkIds(std::span<const TokenId> ids, int vocabulary, std::string_view what);

// Throws Error{Input} for an empty source and for one longer than the model's positions.
void checkSource(std::span<const TokenId> source, const ModelInfo& info);

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

// What the attention modules of a run need of it.
AttentionRun attentionRun(RunContext& context);

void reportHidden(RunContext& context, Stage stage, int layer, int hypothesis, int firstRow, NumberView rows);

// Hidden states of one step: row r belongs to hypothesis r.
void reportHiddenOfHypotheses(RunContext& context, int layer, int position, NumberView rows);

// That a layer of the encoder has been computed.
void reportLayer(RunContext& context, int layer, int layers);

} // namespace attn
