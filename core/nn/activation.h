// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"

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
};

// By the name that configurations use; none for an unknown one.
std::optional<Activation> activationByName(std::string_view name);

// In place, element by element.
void activate(Engine& engine, Activation activation, std::span<float> values);

} // namespace attn
