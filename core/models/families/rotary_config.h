// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/rotary.h"
#include "io/json.h"

namespace attn {

// rope_theta and rope_scaling of Hugging Face's configurations, in the older spelling and the newer one
// (rope_parameters). headWidth: features of a head. Throws Error{Format, Unsupported}.
RotarySettings readRotary(const JsonObject& config, int headWidth);

// "rotary", "rotary, llama3 scaling by 8".
std::string describeRotary(const RotarySettings& settings);

} // namespace attn
