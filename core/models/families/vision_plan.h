// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "models/families/layer_reader.h"
#include "models/media_input.h"
#include "models/model_info.h"
#include "models/transformer.h"
#include "models/weight_table.h"

#include <string>
#include <vector>

namespace attn {

// A tensor of special tokens before the patches, and what they are called.
struct SpecialTokens
{
    std::string tensor;
    Shape shape; // as it is stored
    std::vector<std::string> names; // "[CLS]"
};

// A Transformer that reads the patches of a picture, as data. Names are those of the tensors without ".weight"; empty:
// none.
struct VisionPlan
{
    LayerPlan layers; // its prefix is whole
    std::vector<SpecialTokens> specials; // with positions
    std::optional<SpecialTokens> registers = {}; // without
    std::string projection;
    bool projectionBias = true;
    std::string positions; // a whole name
    bool positionsInBatch = true; // the table is stored [1, tokens, width], else [tokens, width]
    std::string inputNorm = {};
    std::string finalNorm = {};
    GridInterpolation interpolation = GridInterpolation::Cubic;
    PixelSize image; // pixels
    PixelSize patch;

    PatchLayout layout() const;
    void addPrefix(const std::string& prefix); // to the names of all tensors
};

// image_size and patch_size, a number or [height, width]; the patch as large as its stored kernel where there is one.
// Throws Error{Format}.
void readPictureSizes(const JsonObject& config, const Checkpoint& checkpoint, int image, int patch, VisionPlan& plan);

Weight<TransformerStack> declareVision(WeightTable& table, const VisionPlan& plan);

// Adds the pictures that the model reads.
void describePictures(const VisionPlan& plan, ModelInfo& info);

// The plans of vit, deit, dinov2 and dinov2_with_registers by their model_type, without the prefix of the base model;
// null where it is another. Throws Error{Format, Unsupported}.
std::optional<VisionPlan> readVisionEncoder(const JsonObject& config, const Checkpoint& checkpoint);
// Names of these types.
std::vector<std::string_view> visionEncoderTypes();
// Keys of their configurations.
ConfigKeys visionEncoderKeys();

} // namespace attn
