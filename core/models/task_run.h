// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"

#include <memory>
#include <span>
#include <vector>

namespace attn {

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
