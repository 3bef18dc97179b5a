// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

enum class Search : std::uint8_t { Greedy, Beam, Sampling };

// How the output is found (FORMATS.md section 1).
struct DecodingOptions
{
    Search search = Search::Greedy;
    int beamSize = 4;
    std::uint64_t seed = 0; // sampling
    double temperature = 1.0; // sampling; > 0
    int topK = 0; // sampling; 0: all
    double topP = 1.0; // sampling
    int maxLength = 256; // most tokens to produce, end token counted
    int generate = 0; // decoder-only: most tokens to continue the input by; 0: just read it
    std::optional<TokenId> start; // decoding starts from it instead of the model's own start token
    std::optional<TokenId> firstToken; // the output must begin with it, such as a language; none: as the model says
    bool sampleHardAttention = false; // hard attention draws its position by `seed`
    int candidates = 20; // reported with each step

    // "greedy", "beam:4", "sample" as on the command line. Throws Error{Input}.
    static DecodingOptions parse(const std::string& text);
    std::string describe() const;
};

} // namespace attn
