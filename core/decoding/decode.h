// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "models/sequence_model.h"

#include <optional>
#include <span>

namespace attn {

// Runs a model on source ids and reports everything through context.sink, from begun() to finished(). With
// forcedTarget nothing is chosen: the target is scored as given (teacher forcing). Throws Error{Input, Resource,
// Cancelled}.
void decode(const SequenceModel& model, std::span<const TokenId> source,
            const std::optional<std::vector<TokenId>>& forcedTarget, const DecodingOptions& options,
            RunContext& context);

} // namespace attn
