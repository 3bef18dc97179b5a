// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_measures.h"
#include "analysis/run_difference.h"
#include "base/option_row.h"
#include "figures/look/language.h"
#include "readings/head_reading.h"

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

// Where the tokens of lines stand: as two lists beside each other, or as running text above and below each other.
enum class LinesLayout : std::uint8_t { Columns, Rows };
// What picked tokens show: what they attend to, or what attends to them.
enum class Shading : std::uint8_t { AttendedTo, Attending };

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

// What counts for the end of the colour scale: everything, or not what draws attention whatever the text is, the first
// token and special tokens. Shown they are all the same.
enum class RangeWithout : std::uint8_t { Nothing, Sinks };
// What stands for cells that share a pixel.
enum class Pooling : std::uint8_t { Largest, Mean };
// What is said of each row and each column at the margins of a matrix.
enum class Margins : std::uint8_t { None, Sum, Entropy, Largest };

// Rows or columns from one to another, both included, counted from 0 as they are shown.
struct ShownSpan
{
    int first = 0;
    int last = 0;

    friend bool operator==(const ShownSpan&, const ShownSpan&) = default;
};

// What tiles of heads are ordered by; then the measures of headMeasures().
enum class HeadOrder : std::uint8_t { Place, Kind, Likeness, FirstMeasure };
// What is said of a head on its tile: what they are ordered by, else their kinds; then the measures likewise.
enum class HeadNote : std::uint8_t { Automatic, Kind, Nothing, FirstMeasure };
// Null: none.
const HeadMeasure* measureOf(HeadOrder order);
const HeadMeasure* measureOf(HeadNote note);

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
    RangeWithout rangeWithout = RangeWithout::Nothing;
    double clip = 100; // percentile of the weights at which the range ends
    Pooling pooling = Pooling::Largest;
    Margins margins = Margins::None;
    HeadSet heads; // that readings combine, lines are drawn of (those of the layer) and tiles mark; empty: all
    HeadOrder headOrder = HeadOrder::Place;
    bool leastFirst = false; // of a measure
    HeadNote headNote = HeadNote::Automatic;
    // Position in the target (encoder-only: in the source) whose row is marked; none: Decoding chooses one.
    std::optional<int> currentStep;
    bool markStep = false; // also where none was chosen
    bool noMark = false;
    double threshold = 0; // lines: weights below it are not drawn
    double topMass = 1; // lines: of each row the largest weights that make up this part of its sum
    LinesLayout linesLayout = LinesLayout::Columns;
    Shading shading = Shading::AttendedTo;
    std::vector<int> picked; // tokens that lines and text show: of the rows, or with Shading::Attending of the columns
    std::optional<ShownSpan> rows;
    std::optional<ShownSpan> columns;
    CellNumbers numbers = CellNumbers::Automatic;
    QString title; // empty: made from the model and the site
    bool noTitle = false;
    bool noLegend = false; // neither colour bar nor what colours and lines mean
    bool noAxisNames = false; // what rows and columns are called
    Theme theme = Theme::Light;
    double baseFontPoints = 9;
    QString fontFamily; // empty: DejaVu Sans
    Language language{}; // of words and numbers; who draws in another one has a LanguageInUse as well

    friend bool operator==(const FigureChoices&, const FigureChoices&) = default;
};

// Bits of a row's scope.
enum FigureScope : unsigned {
    Kept = 1U, // in the window's settings
    OfExports = 2U, // in the settings, for exports alone
};

// The values of a row that a menu offers: all of one of several, the names of a range, a few of a number; empty: none.
std::span<const OptionChoice> offeredChoices(const OptionRow<FigureChoices>& row);

// What can be chosen, described once.
std::span<const OptionRow<FigureChoices>> figureRows();

} // namespace attn::ui
