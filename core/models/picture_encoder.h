// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/convolution.h"
#include "nn/elementwise.h"
#include "nn/engine.h"
#include "tensor/number_view.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace attn {

// Each channel times `scale` plus `shift`: batch normalisation with its running values (Ioffe and Szegedy 2015).
struct ChannelScale
{
    Tensor scale; // [channels]
    Tensor shift;
};

// Normalisation over groups of channels (Wu and He 2018).
struct GroupNorm
{
    Index groups = 1;
    float epsilon = 0;
    Tensor scale; // [channels]
    Tensor shift;
};

// The largest or the mean of the values in a window; outside are -inf or zeros, which count.
struct WindowPool
{
    bool largest = true;
    Index kernel = 1;
    Index stride = 1;
    Index padding = 0;
};

struct ResidualLayers;

// One layer of a network over pictures, [channels, height, width].
using PictureLayer =
    std::variant<Convolution, ChannelScale, GroupNorm, Activation, WindowPool, std::unique_ptr<const ResidualLayers>>;

// body(x) + shortcut(x), or body(x) + x where there is no shortcut (He et al. 2016).
struct ResidualLayers
{
    std::vector<PictureLayer> body;
    std::vector<PictureLayer> shortcut;
};

// A convolutional network that makes one vector for each cell of a grid.
struct PictureEncoder
{
    std::vector<PictureLayer> layers;
    Tensor positions; // [cells, channels], added; may be empty
    std::uint64_t largestLayer = 0; // numbers of one layer's input or output, at most

    // pixels: [3, height, width]. Returns [cells, channels], row by row. between: called between layers; may throw.
    Tensor run(Engine& engine, NumberView pixels, const std::function<void()>& between) const;
};

} // namespace attn
