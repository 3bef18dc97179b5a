// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_choices.h"

#include "base/error.h"
#include "base/parsed_number.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/theme.h"

#include <QtGlobal>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace attn::ui {

namespace {

constexpr OptionChoice scaleChoices[] = {{"linear", QT_TRANSLATE_NOOP("attn::ui", "Linear")},
                                         {"sqrt", QT_TRANSLATE_NOOP("attn::ui", "Square root")},
                                         {"log", QT_TRANSLATE_NOOP("attn::ui", "Logarithmic")}};
constexpr OptionChoice rangeChoices[] = {{"map", QT_TRANSLATE_NOOP("attn::ui", "The map")},
                                         {"row", QT_TRANSLATE_NOOP("attn::ui", "Each row")},
                                         {"head", QT_TRANSLATE_NOOP("attn::ui", "The head")},
                                         {"layer", QT_TRANSLATE_NOOP("attn::ui", "The layer")},
                                         {"all", QT_TRANSLATE_NOOP("attn::ui", "All heads")}}; // by ColorRange::Of
constexpr OptionChoice numbersChoices[] = {{"auto", QT_TRANSLATE_NOOP("attn::ui", "Where they fit")},
                                           {"on", QT_TRANSLATE_NOOP("attn::ui", "Always")},
                                           {"off", QT_TRANSLATE_NOOP("attn::ui", "Never")}};

// Of rows that have an id and a title.
template<class Rows>
std::vector<OptionChoice> choicesOf(const Rows& rows)
{
    std::vector<OptionChoice> choices;
    for (const auto& row : rows)
        choices.push_back({row.id, row.title});
    return choices;
}

[[noreturn]] void refuse(const char* key, std::string_view text, const std::string& expected)
{
    throw Error(ErrorKind::Input, key, "'" + std::string(text) + "' is not " + expected);
}

std::optional<std::string> rangeText(const FigureChoices& choices)
{
    const ColorRange& range = choices.range;
    if (range.of != ColorRange::Of::Numbers)
        return rangeChoices[static_cast<std::size_t>(range.of)].name;
    return option::written(range.least) + ':' + option::written(range.most);
}

void setRange(FigureChoices& choices, std::string_view text)
{
    const auto* const named = std::ranges::find(rangeChoices, text, &OptionChoice::name);
    if (named != std::end(rangeChoices)) {
        choices.range = {.of = static_cast<ColorRange::Of>(named - std::begin(rangeChoices))};
        return;
    }
    const std::size_t colon = text.find(':');
    const auto least = parsedNumber<double>(text.substr(0, colon));
    const auto most = colon == text.npos ? std::nullopt : parsedNumber<double>(text.substr(colon + 1));
    if (!least || !most || !(*least < *most))
        refuse("range", text, "one of " + choiceNames(rangeChoices, ", ") + ", or LOW:HIGH with LOW below HIGH");
    choices.range = {ColorRange::Of::Numbers, *least, *most};
}

template<std::optional<ShownSpan> FigureChoices::*member>
std::optional<std::string> spanText(const FigureChoices& choices)
{
    const std::optional<ShownSpan>& span = choices.*member;
    return span ? std::optional(std::to_string(span->first) + '-' + std::to_string(span->last)) : std::nullopt;
}

ShownSpan parseSpan(const char* key, std::string_view text)
{
    const std::size_t dash = text.find('-');
    const auto first = parsedNumber<int>(text.substr(0, dash));
    const auto last = dash == text.npos ? first : parsedNumber<int>(text.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first)
        refuse(key, text, "two whole numbers from 0, such as 3-12");
    return {*first, *last};
}

std::optional<std::string> titleText(const FigureChoices& choices)
{
    return choices.title.isEmpty() ? std::nullopt : std::optional(choices.title.toStdString());
}

std::vector<OptionRow<FigureChoices>> makeRows()
{
    static const auto specials = choicesOf(specialsRows);
    static const auto pairs = choicesOf(pairRows());
    static const auto pairings = choicesOf(pairingRows);
    static const auto colors = choicesOf(colorMaps());
    static const auto themes = choicesOf(themeRows);
    return {
        {.key = "words", .member = &FigureChoices::words, .help = "merge subwords into words", .scope = Kept},
        {.key = "specials",
         .member = choiceMember<&FigureChoices::specials>(specials),
         .help = "start, end, separator and language tokens",
         .scope = Kept},
        {.key = "pair",
         .member = choiceMember<&FigureChoices::pair>(pairs),
         .help = "of a sentence pair: from the words of which to the words of which",
         .scope = Kept},
        {.key = "pairing",
         .member = choiceMember<&FigureChoices::pairing>(pairings),
         .help = "of a difference: how rows and columns find each other",
         .scope = Kept},
        {.key = "colormap",
         .member = choiceMember<&FigureChoices::colorMap>(colors),
         .help = "the colours",
         .scope = Kept},
        {.key = "scale",
         .member = choiceMember<&FigureChoices::scale>(scaleChoices),
         .help = "how the colours grow with the weights",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Scale"),
         .scope = Kept},
        {.key = "range",
         .member = TextMember<FigureChoices>{rangeText, setRange},
         .value = "map|row|head|layer|all|LOW:HIGH",
         .help = "of which weights the largest has the last colour, or two numbers",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Range"),
         .scope = Kept},
        {.key = "heads",
         .member = &FigureChoices::heads,
         .value = "0,2,5",
         .help = "of the layer: that mean and max are taken over, and that grid and arcs draw"},
        {.key = "step",
         .member = &FigureChoices::currentStep,
         .value = "N",
         .help = "the output position that is looked at, from 0"},
        {.key = "mark-step", .member = &FigureChoices::markStep, .help = "mark the step's row, also without --step"},
        {.key = "no-mark", .member = &FigureChoices::noMark, .help = "mark no row"},
        {.key = "rows",
         .member = TextMember<FigureChoices>{spanText<&FigureChoices::rows>,
                                             [](FigureChoices& choices, std::string_view text) {
                                                 choices.rows = parseSpan("rows", text);
                                             }},
         .value = "A-B",
         .help = "these rows only, from 0, both included"},
        {.key = "columns",
         .member = TextMember<FigureChoices>{spanText<&FigureChoices::columns>,
                                             [](FigureChoices& choices, std::string_view text) {
                                                 choices.columns = parseSpan("columns", text);
                                             }},
         .value = "A-B",
         .help = "these columns only, likewise"},
        {.key = "numbers",
         .member = choiceMember<&FigureChoices::numbers>(numbersChoices),
         .help = "whether values are written into cells",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Numbers"),
         .scope = Kept},
        {.key = "title",
         .member = TextMember<FigureChoices>{titleText,
                                             [](FigureChoices& choices, std::string_view text) {
                                                 choices.title = QString::fromUtf8(text.data(), std::ssize(text));
                                             }},
         .value = "TEXT",
         .help = "instead of the one made from the model and the site"},
        {.key = "no-title", .member = &FigureChoices::noTitle, .help = "leave the title out", .scope = OfExports},
        {.key = "no-legend",
         .member = &FigureChoices::noLegend,
         .help = "leave colour bar and legend out",
         .scope = OfExports},
        {.key = "no-axis-names",
         .member = &FigureChoices::noAxisNames,
         .help = "leave out what rows and columns are called",
         .scope = OfExports},
        {.key = "theme",
         .member = choiceMember<&FigureChoices::theme>(themes),
         .help = "light or dark",
         .scope = OfExports},
        {.key = "font-size",
         .member = &FigureChoices::baseFontPoints,
         .limits = {.least = 4, .most = 72},
         .value = "PT",
         .help = "of the tokens, in points",
         .scope = OfExports}};
}

} // namespace

std::span<const OptionRow<FigureChoices>> figureRows()
{
    static const auto rows = makeRows();
    return rows;
}

} // namespace attn::ui
