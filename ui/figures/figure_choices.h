// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_measures.h"
#include "base/option_row.h"
#include "figures/look/language.h"
#include "maps/map_spec.h"
#include "maps/pooled_map.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attn::ui {

enum class Theme : std::uint8_t { Light, Dark };
enum class ColorMapName : std::uint8_t {}; // a row of colorMaps() in color_map.h; {} is the first
// Growth of the colours with the weights.
enum class ColorScale : std::uint8_t { Linear, SquareRoot, Logarithmic };
// Whether values are written into cells; Large: where they fit, and are a tenth of the end of the colours or more.
enum class CellNumbers : std::uint8_t { Automatic, On, Off, Large };

// Where the tokens of lines stand: as two lists beside each other, or as running text above and below each other.
enum class LinesLayout : std::uint8_t { Columns, Rows };
// Side that picked tokens show: what they attend to, or what attends to them.
enum class Shading : std::uint8_t { AttendedTo, Attending };

// Form in which the weights of a picture's patches lie over it: as its brightness, as colours that go over into each
// other, or as colours of the patches, outlined.
enum class Overlay : std::uint8_t { Light, Heat, Cells };

// Parts of a sentence pair, by PairFilter.
struct PairRow
{
    const char* id; // in settings and on the command line
    const char* title; // for translated()
};
inline constexpr PairRow pairRows[] = {{"all", QT_TRANSLATE_NOOP("attn::ui", "Both, A and B")},
                                       {"aa", QT_TRANSLATE_NOOP("attn::ui", "A \u2192 A")},
                                       {"ab", QT_TRANSLATE_NOOP("attn::ui", "A \u2192 B")},
                                       {"ba", QT_TRANSLATE_NOOP("attn::ui", "B \u2192 A")},
                                       {"bb", QT_TRANSLATE_NOOP("attn::ui", "B \u2192 B")}};
struct SpecialsRow
{
    const char* id; // likewise
    const char* title; // for the same
};
inline constexpr SpecialsRow specialsRows[] = { // by SpecialTokens
    {"shown", QT_TRANSLATE_NOOP("attn::ui", "Shown")},
    {"hidden", QT_TRANSLATE_NOOP("attn::ui", "Hidden")},
    {"renormalized", QT_TRANSLATE_NOOP("attn::ui", "Hidden, rows renormalised")}};

// Pairs of two runs, by Pairing.
struct PairingRow
{
    const char* id; // in settings and on the command line
    const char* title; // for translated()
    const char* said; // below a figure, for the same; empty: nothing
};
inline constexpr PairingRow pairingRows[] = {
    {"automatic", QT_TRANSLATE_NOOP("attn::ui", "&Automatically"), ""},
    {"position", QT_TRANSLATE_NOOP("attn::ui", "By &position"), QT_TRANSLATE_NOOP("attn::ui", "paired by position")},
    {"word", QT_TRANSLATE_NOOP("attn::ui", "By &word"), QT_TRANSLATE_NOOP("attn::ui", "paired by word")},
    {"beginning", QT_TRANSLATE_NOOP("attn::ui", "By the shared &beginning"),
     QT_TRANSLATE_NOOP("attn::ui", "paired by the shared beginning")}};

// Numbers of each row and each column at the margins of a matrix.
enum class Margins : std::uint8_t { None, Sum, Entropy, Largest };

// Order of tiles of heads; then the measures of headMeasures().
enum class HeadOrder : std::uint8_t { Place, Kind, Likeness, FirstMeasure };
// Note of a head on its tile: what they are ordered by, else their kinds; then the measures likewise.
enum class HeadNote : std::uint8_t { Automatic, Kind, Nothing, FirstMeasure };
// Null: none.
const HeadMeasure* measureOf(HeadOrder order);
const HeadMeasure* measureOf(HeadNote note);

// Choices of how a figure looks: the same in the window, in the settings and on the command line.
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
    CellPooling pooling = CellPooling::Largest;
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
    // Tokens that lines, text and pictures show: of the rows, or with Shading::Attending of the columns.
    std::vector<int> picked;
    Overlay overlay = Overlay::Light;
    double opacity = 0.6; // of the colours over a picture
    int panels = 0; // of a sheet of pictures, in a line; 0: as they fit
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

// Choices, described once.
std::span<const OptionRow<FigureChoices>> figureRows();

} // namespace attn::ui
