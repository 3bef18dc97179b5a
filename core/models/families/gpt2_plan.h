// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/families/layer_reader.h"

namespace attn {

// GPT-2's layers under their own names, without cross attention. Throws Error{Format, Unsupported}.
LayerPlan readGpt2Layers(const JsonObject& config);

} // namespace attn
