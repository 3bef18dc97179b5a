// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/option_row.h"
#include "trace/site.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attn {

enum class Search : std::uint8_t { Greedy, Beam, Sampling };

// Search for the output. The meaning, limits and name of each option are in its row in options.cpp.
struct DecodingOptions
{
    Search search = Search::Greedy;
    int beamSize = 4;
    double temperature = 1.0;
    int topK = 0;
    double topP = 1.0;
    double minP = 0.0;
    bool sampleHardAttention = false; // hard attention draws its position by `seed`
    std::uint64_t seed = 0;
    int maxLength = 256;
    int generate = 0;
    int candidates = 20; // reported with each step
    std::optional<TokenId> start; // decoding starts from it instead of the model's own start token
    std::optional<TokenId> firstToken; // the output must begin with it, such as a language; none: as the model says

    // Name of the way that tokens are chosen, for people: "greedy", "beam:4", "sample temperature=0.7".
    std::string describe() const;

    friend bool operator==(const DecodingOptions&, const DecodingOptions&) = default;
};

// Where a decoding option has a meaning, as bits of OptionRow::scope. Without a bit of a kind: everywhere of this kind.
namespace decoding_scope {
enum : unsigned {
    Beam = 1, // searches
    Sampling = 2,
    DrawnPosition = 4, // and sampled hard attention
    EncoderDecoder = 8, // models
    DecoderOnly = 16,
    HardAttention = 32,
    Refused = 64 // asking a model for it where it has no meaning is an error
};
}

using DecodingRow = OptionRow<DecodingOptions>;

// Every decoding option, in the order in which people are shown them.
std::span<const DecodingRow> decodingRows();

// Whether an option has a meaning for a model.
bool concerns(const DecodingRow& row, ModelKind kind, bool hardAttention);
// Whether its value plays a part in a search with these options.
bool isUsed(const DecodingRow& row, const DecodingOptions& options);

// Options without what has no meaning for a model.
DecodingOptions fitted(DecodingOptions options, ModelKind kind, bool hardAttention);

// Throws Error{Input} that names the option: a value beyond its limits.
void checkDecoding(const DecodingOptions& options);
// And for what was chosen that this model cannot do.
void checkDecoding(const DecodingOptions& options, ModelKind kind, bool hardAttention);

} // namespace attn
