// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"

#include <memory>
#include <span>
#include <vector>

namespace attn {

// What the decoder of a model that predicts no tokens reads: a decoder-only model the text, another one the text moved
// right by one behind its start token (Lewis et al. 2020, section 3.1).
std::vector<TokenId> readInputs(const ModelInfo& info, std::span<const TokenId> ids);

// Of what a decoder's head makes of each input, what the task asks for: of TaskHead::Text one row, that of the last
// token that is no padding, of an encoder-decoder that of the source's last end token. Throws Error{Input} where there
// is none.
NumberView taskRows(const ModelInfo& info, std::span<const TokenId> ids, NumberView logits);

// All at once, as SequenceModel::classify. encoded: of the source; null for a decoder-only model.
Tensor taskLogits(const SequenceModel& model, const Source& source, std::shared_ptr<const EncoderOutput> encoded,
                  RunContext& context);

} // namespace attn
