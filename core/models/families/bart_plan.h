// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/families/layer_reader.h"

#include <string>
#include <string_view>

namespace attn {

// Names of a layer's tensors, those of cross attention included.
LayerNames bartLayerNames();
// Layers that are named as BART's are. side: "encoder" or "decoder"; activation: where the configuration does not say.
// Throws Error{Format, Unsupported}.
LayerPlan readBartLayers(const JsonObject& config, const std::string& side, std::string_view activation);

} // namespace attn
