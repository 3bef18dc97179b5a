// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace attn {

enum class Activation : std::uint8_t {
    Relu,
    Swish, // x * sigmoid(x), also called silu
    Gelu, // x * Phi(x), by the error function
    GeluTanh, // its tanh approximation, "gelu_new" and "gelu_pytorch_tanh"
    Tanh,
    Sigmoid,
    QuickGelu, // x * sigmoid(1.702 x)
};

// Activation by its name in configurations; none for an unknown one.
std::optional<Activation> activationByName(std::string_view name);

// Works in place, element by element.
void activate(Engine& engine, Activation activation, std::span<float> values);

// gradient *= f'(input), element by element, of the same size.
void activateGradient(Engine& engine, Activation activation, std::span<const float> input, std::span<float> gradient);

// cap tanh(value / cap), in place, element by element (Bello et al. 2017).
void capped(Engine& engine, std::span<float> values, float cap);

// left += right, of the same size.
void add(Engine& engine, std::span<float> left, std::span<const float> right);

// left *= right, element by element, of the same size.
void multiply(Engine& engine, std::span<float> left, std::span<const float> right);

// sums[g][r] = vectors[g] + matrix[r]: [groups, rows, width] from [groups, width] and [rows, width].
void addToRows(Engine& engine, NumberView vectors, NumberView matrix, MutableView sums);

} // namespace attn
