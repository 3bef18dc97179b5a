// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

// Prediction of a model about a text, in place of tokens.
enum class TaskHead : std::uint8_t {
    None,
    Text, // a class of the whole text
    Tokens, // a class of each token
    Span, // where an answer begins and ends
};

// How the logits of classes are read.
enum class ClassReading : std::uint8_t {
    OneOf, // one class is right: softmax
    AnyOf, // each is right or not: sigmoid
    Value, // a number of its own, as it is
};

} // namespace attn
