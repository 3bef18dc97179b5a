// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "media/patches.h"
#include "nn/convolution.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>

namespace attn {

// The way of a picture into an encoder, in place of token embeddings. Immutable.
class MediaInput
{
public:
    virtual ~MediaInput() = default;

    // Rows before positions are added, [source, width]. input: as of Source.
    virtual Tensor embedded(Engine& engine, NumberView input) const = 0;
    // Positions that are added to the embeddings, [source, width]. Throws Error{Input} for an input of a size that the
    // model cannot read.
    virtual Tensor positions(NumberView input) const = 0;
    virtual const std::optional<Norm>& norm() const = 0; // at the end
    virtual std::uint64_t workBytes(std::uint64_t source) const = 0; // of rows(), at most

    // All of it. with: with positions.
    Tensor rows(Engine& engine, NumberView input, bool with) const;
};

// Way in which a table of positions is made to fit a grid that it was not made for.
enum class GridInterpolation : std::uint8_t {
    None, // another grid is an error
    Cubic, // a = -0.75, without antialiasing
    Antialiased, // the bicubic filter of pictures
};

// Learned positions of special tokens and of a grid of patches.
struct GridPositions
{
    Tensor table; // [specials + rows * columns, width]
    PixelSize grid; // rows and columns that it was made for
    GridInterpolation interpolation = GridInterpolation::Cubic;

    // Those of the patches for another grid, [rows * columns, width]. Throws Error{Input}.
    Tensor ofPatches(PixelSize wanted) const;
};

// Weights of PatchInput.
struct PatchWeights
{
    Linear projection; // a convolution whose kernel is its stride, [width, 3 * patch height * patch width]
    Tensor specials; // [tokens, width], which have positions; may be empty
    Tensor registers; // likewise, of tokens without positions
    GridPositions positions;
    std::optional<Norm> norm;
};

// Patches of a picture, projected, behind special tokens, with positions added (Dosovitskiy et al. 2021).
class PatchInput final : public MediaInput
{
public:
    PatchInput(PatchLayout layout, PatchWeights weights);

    Tensor embedded(Engine& engine, NumberView input) const override;
    Tensor positions(NumberView input) const override;
    const std::optional<Norm>& norm() const override { return m_weights.norm; }
    std::uint64_t workBytes(std::uint64_t source) const override;

private:
    PatchLayout m_layout;
    PatchWeights m_weights;
};

// Columns of a spectrogram behind two convolutions over time, of which the second halves their number, with positions
// added (Radford et al. 2023).
class SoundInput final : public MediaInput
{
public:
    // positions: [columns, width].
    SoundInput(Convolution first, Convolution second, Tensor positions);

    Tensor embedded(Engine& engine, NumberView input) const override;
    Tensor positions(NumberView input) const override;
    const std::optional<Norm>& norm() const override { return m_norm; }
    std::uint64_t workBytes(std::uint64_t source) const override;

private:
    Convolution m_first;
    Convolution m_second;
    Tensor m_positions;
    std::optional<Norm> m_norm; // none
};

} // namespace attn
