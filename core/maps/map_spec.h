// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "readings/head_reading.h"

#include <cstdint>
#include <optional>

namespace attn {

// Whether start, end, separator and language tokens are among rows and columns; what is left of a row, a sink's share
// included, keeps its weights, or is scaled to sum to 1 again without the sink.
enum class SpecialTokens : std::uint8_t { Shown, Hidden, HiddenRenormalized };
// Part of a sentence pair's map: queries of the first letter's text, keys of the second letter's.
enum class PairFilter : std::uint8_t { All, AToA, AToB, BToA, BToB };

// Rows or columns from one to another, both included, counted from 0 as they are shown.
struct ShownSpan
{
    int first = 0;
    int last = 0;

    friend bool operator==(const ShownSpan&, const ShownSpan&) = default;
};

// Where the scale of a map ends: as the figure has it, which is at the largest weight of what it shows as one map;
// at that of the map as it is shown, of each row, of the head's or the layer's whole maps, of all maps of the
// attention; or between two numbers.
struct ColorRange
{
    enum class Of : std::uint8_t { Automatic, Map, Row, Head, Layer, All, Numbers };
    Of of = Of::Automatic;
    double least = 0; // Numbers
    double most = 1;

    // Whether the range is of whole maps, whatever is shown of them.
    bool isCommon() const { return of == Of::Head || of == Of::Layer || of == Of::All; }
    friend bool operator==(const ColorRange&, const ColorRange&) = default;
};
// Columns that do not count for the end of the scale: none, or the sinks, the first token and special tokens, which
// draw attention whatever the text is. They are shown all the same.
enum class RangeWithout : std::uint8_t { Nothing, Sinks };

// The choices that a map is made by.
struct MapSpec
{
    Site site{Stage::Cross, 0};
    HeadReading head = {};
    HeadSet heads = {}; // picked
    std::optional<StepId> leaf = {}; // hypothesis: its last step; none: the best
    bool words = false; // subwords are merged
    SpecialTokens specials = SpecialTokens::Shown;
    PairFilter pair = PairFilter::All; // of texts that are no pair, everything is shown
    Pairing pairing = Pairing::Automatic; // of a difference
    std::optional<ShownSpan> rows = {};
    std::optional<ShownSpan> columns = {};
    ColorRange range = {};
    RangeWithout rangeWithout = RangeWithout::Nothing;
    double clip = 100; // percentile of the weights at which the range ends
};

// The texts of a pair, 0 or 1, that queries and keys are shown of.
struct PairTexts
{
    int query = 0;
    int key = 0;
};
// None: everything, or the site does not read a pair.
std::optional<PairTexts> shownTexts(const MapSpec& spec, const Trace& trace);
// Whether there are special tokens that the spec leaves out.
bool hidesSpecials(const MapSpec& spec, const Trace& trace);
// Number of weights that are gone through for a map of the spec, whatever is shown of it.
std::size_t mapCost(const MapSpec& spec, const Trace& trace);

} // namespace attn
