// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "models/sequence_model.h"

#include <optional>

namespace attn {

// Runs a model on source ids and reports everything through context.sink, from begun() to finished(). With
// forcedTarget nothing is chosen: the target is scored as given (teacher forcing). An encoder-only model reads the
// source and, with a masked-token head, predicts each of its tokens; a decoder-only model reads it as a prompt and
// continues it by options.generate tokens. Throws Error{Input, Resource, Cancelled}.
void decode(const SequenceModel& model, const Source& source, const std::optional<std::vector<TokenId>>& forcedTarget,
            const DecodingOptions& options, RunContext& context);

} // namespace attn
