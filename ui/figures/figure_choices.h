// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "base/option_row.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attn::ui {

enum class Theme : std::uint8_t { Light, Dark };
enum class ColorMapName : std::uint8_t {}; // a row of colorMaps() in color_map.h; {} is the first
// Whether start, end, separator and language tokens are among rows and columns; what is left of a row keeps its weights
// or is scaled to sum to 1 again.
enum class SpecialTokens : std::uint8_t { Shown, Hidden, HiddenRenormalized };
// Of a sentence pair: queries of the first letter's text, keys of the second letter's.
enum class PairFilter : std::uint8_t { All, AToA, AToB, BToA, BToB };
// How the colours grow with the weights.
enum class ColorScale : std::uint8_t { Linear, SquareRoot, Logarithmic };
// Whether values are written into cells.
enum class CellNumbers : std::uint8_t { Automatic, On, Off };

// Where the colour scale ends: at the largest weight of the map as it is shown, of each row, of the head's or the
// layer's whole maps, of all maps of the attention; or between two numbers.
struct ColorRange
{
    enum class Of : std::uint8_t { Map, Row, Head, Layer, All, Numbers };
    Of of = Of::Map;
    double least = 0; // Numbers
    double most = 1;

    friend bool operator==(const ColorRange&, const ColorRange&) = default;
};

// Rows or columns from one to another, both included, counted from 0 as they are shown.
struct ShownSpan
{
    int first = 0;
    int last = 0;

    friend bool operator==(const ShownSpan&, const ShownSpan&) = default;
};

// What can be chosen of how a figure looks: the same in the window, in the settings and on the command line.
struct FigureChoices
{
    bool words = false; // merge subwords into words
    SpecialTokens specials = SpecialTokens::Shown;
    PairFilter pair = PairFilter::All; // of texts that are no pair, everything is shown
    Pairing pairing = Pairing::Automatic; // of a difference
    ColorMapName colorMap{};
    ColorScale scale = ColorScale::Linear;
    ColorRange range;
    std::vector<int>
        heads; // of the layer, that mean and maximum are taken over, and that lines and tiles show; empty: all
    // Position in the target (encoder-only: in the source) whose row is marked; none: Decoding chooses one.
    std::optional<int> currentStep;
    bool markStep = false; // also where none was chosen
    bool noMark = false;
    std::optional<ShownSpan> rows;
    std::optional<ShownSpan> columns;
    CellNumbers numbers = CellNumbers::Automatic;
    QString title; // empty: made from the model and the site
    bool noTitle = false;
    bool noLegend = false; // neither colour bar nor what colours and lines mean
    Theme theme = Theme::Light;
    double baseFontPoints = 9;

    friend bool operator==(const FigureChoices&, const FigureChoices&) = default;
};

// Bits of a row's scope.
enum FigureScope : unsigned {
    Kept = 1U, // in the window's settings
};

// What can be chosen, described once.
std::span<const OptionRow<FigureChoices>> figureRows();

} // namespace attn::ui
