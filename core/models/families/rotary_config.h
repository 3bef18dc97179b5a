// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/positions.h"
#include "checkpoint/gguf_model.h"
#include "io/json.h"
#include "trace/position_scheme.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace attn {

// A family's rotary positions where the configuration does not say, and the names of the keys that do.
struct RotaryReading
{
    RotarySettings unsaid = {}; // base, pairs and first feature; a scaling counts where no field speaks of one
    double part = 1; // of a head's features that are rotated
    std::string_view layerType =
        {}; // "sliding_attention": whose object of rope_parameters is read; empty: there is one
    std::string_view base = "rope_theta";
    std::string_view partField = "partial_rotary_factor";
    bool scaled = true; // false: no scaling is for these layers
};

// rope_theta and rope_scaling of Hugging Face's configurations, in the older spelling and the newer one
// (rope_parameters), which counts where both are there. headWidth: features of a head. Throws Error{Format,
// Unsupported}.
RotarySettings readRotary(const JsonObject& config, int headWidth, const RotaryReading& reading = {});

// Settings of each layer, where global and local ones differ.
std::vector<std::shared_ptr<const RotaryPositions>> rotaryByLayer(const JsonObject& config, int headWidth,
                                                                  const std::vector<bool>& local,
                                                                  const RotaryReading& ofGlobal,
                                                                  const RotaryReading& ofLocal);

Positions describeRotary(const RotarySettings& settings);

// rope_theta, partial_rotary_factor and rope_scaling of what a GGUF file says. features: of a head. Throws
// Error{Format, Unsupported}.
void addGgufRotary(Json& json, const GgufMetadata& file, std::int64_t features);

} // namespace attn
