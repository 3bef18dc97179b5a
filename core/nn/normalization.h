// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <span>
#include <variant>

namespace attn {

// The part of a row's divisor in a gradient: it may be taken for a constant.
enum class NormDivisor : std::uint8_t { Differentiated, Constant };

// Layer normalisation over the last axis (Ba et al. 2016): (x - mean) / sqrt(variance + epsilon) * scale + shift.
class LayerNorm
{
public:
    // scale, shift: [width].
    LayerNorm(Tensor scale, Tensor shift, float epsilon);

    // values: [rows, width], in place.
    void apply(Engine& engine, Tensor& values) const;
    // sums += the gradient of the input, from that of the output; all without gaps, as wide as the norm or a multiple.
    void addGradient(NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums) const;

private:
    Tensor m_scale;
    Tensor m_shift;
    float m_epsilon;
};

// Root mean square normalisation over the last axis (Zhang and Sennrich 2019): x / sqrt(mean(x^2) + epsilon) * scale.
class RmsNorm
{
public:
    // scale: [width].
    RmsNorm(Tensor scale, float epsilon);

    // values: [rows, width], in place.
    void apply(Engine& engine, Tensor& values) const;
    // sums += the gradient of the input, from that of the output; all without gaps, as wide as the norm or a multiple.
    void addGradient(NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums) const;

private:
    Tensor m_scale;
    float m_epsilon;
};

using Norm = std::variant<LayerNorm, RmsNorm>;

// values: [rows, width], in place.
void normalize(Engine& engine, const Norm& norm, Tensor& values);

// Adds the gradient of the input of a norm, as its member addGradient does.
void addNormGradient(const Norm& norm, NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums);

// Frequency with which the same width comes back: a map whose width is new at every step would need a new primitive
// every time.
enum class SoftmaxWidth : std::uint8_t { Fixed, Growing };

// Softmax of each row of maps without gaps, in place; the maximum is subtracted first. A row of nothing but -inf
// becomes zeros, one with NaN or an infinity that is no mask NaN throughout. Growing pads the width to a power of two,
// so that new primitives are needed ever more rarely.
void softmax(Engine& engine, MutableView maps, SoftmaxWidth width = SoftmaxWidth::Fixed);

// The same, but a row that is to be NaN throughout may be so in part: no weighted sum of it is a number. It reads the
// maps once less.
void softmaxOfNumbers(Engine& engine, MutableView maps, SoftmaxWidth width = SoftmaxWidth::Fixed);
// softmaxOfNumbers() of rows that have one more score, the sink of their head, whose weight goes nowhere: a row and
// its share of the sink sum to 1. sinks: [heads]; shares: [heads, rows, 1] to be written, or empty.
void softmaxWithSinks(Engine& engine, MutableView maps, std::span<const float> sinks, MutableView shares,
                      SoftmaxWidth width = SoftmaxWidth::Fixed);
// Makes all of such a row NaN.
void spreadNoNumbers(MutableView maps);
// Whether none is NaN. Infinities of both signs count as one, too.
bool areNumbers(std::span<const float> values);

// Natural logarithms of the softmax of one row: NaN throughout where it holds a NaN or an infinity that is no mask.
void logSoftmax(Engine& engine, std::span<const float> logits, std::span<float> logs);

} // namespace attn
