// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace attn {

// Progress of a long piece of work in numbers; the words for it are where it is shown.
struct Progress
{
    enum class Part : std::uint8_t {
        Nothing, // has begun
        Tensor, // of a model's weights
        EncoderLayer,
        Sentence, // of a text that is read sentence by sentence
        Step, // of decoding
        GivenTokens, // `count` of them, read at once
        Finished
    };

    double fraction = 0; // 0 .. 1
    Part part = Part::Nothing;
    int number = 0; // from 0
    int count = 0; // of all; 0: not known
    std::string name = {}; // of a tensor
};

using ProgressCallback = std::function<void(const Progress&)>;

} // namespace attn
