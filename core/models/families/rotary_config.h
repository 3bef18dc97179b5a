// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/positions.h"
#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "trace/position_scheme.h"

#include <cstdint>

namespace attn {

// rope_theta and rope_scaling of Hugging Face's configurations, in the older spelling and the newer one
// (rope_parameters). headWidth: features of a head. Throws Error{Format, Unsupported}.
RotarySettings readRotary(const JsonObject& config, int headWidth);

Positions describeRotary(const RotarySettings& settings);

// rope_theta, partial_rotary_factor and rope_scaling of what a GGUF file says. features: of a head. Throws
// Error{Format, Unsupported}.
void addGgufRotary(Json& json, const GgufMetadata& file, std::int64_t features);

} // namespace attn
