// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "edits/edit_check.h"
#include "models/model_info.h"

#include <optional>
#include <span>

namespace attn {

// Every attention of a model, with heads but without rows and columns: of any sentence.
EditExtent editExtent(const ModelInfo& info);

// The same of one run. output: tokens of the decoder that are given, none where they grow; of a decoder-only model the
// whole sequence.
EditExtent editExtent(const ModelInfo& info, std::span<const TokenId> source, std::optional<Index> output);

} // namespace attn
