// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_choices.h"

#include "base/error.h"
#include "base/plain_text.h"
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
constexpr OptionChoice rangeChoices[] = {{"auto", QT_TRANSLATE_NOOP("attn::ui", "Automatic")},
                                         {"map", QT_TRANSLATE_NOOP("attn::ui", "The map")},
                                         {"row", QT_TRANSLATE_NOOP("attn::ui", "Each row")},
                                         {"head", QT_TRANSLATE_NOOP("attn::ui", "The head")},
                                         {"layer", QT_TRANSLATE_NOOP("attn::ui", "The layer")},
                                         {"all", QT_TRANSLATE_NOOP("attn::ui", "All heads")}}; // by ColorRange::Of
constexpr OptionChoice withoutChoices[] = {
    {"none", QT_TRANSLATE_NOOP("attn::ui", "All tokens")},
    {"sinks", QT_TRANSLATE_NOOP("attn::ui", "All but the first and special tokens")}};
constexpr OptionChoice clipChoices[] = {{"100", QT_TRANSLATE_NOOP("attn::ui", "Nothing")},
                                        {"99.9", QT_TRANSLATE_NOOP("attn::ui", "The largest 0.1 %")},
                                        {"99", QT_TRANSLATE_NOOP("attn::ui", "The largest 1 %")},
                                        {"95", QT_TRANSLATE_NOOP("attn::ui", "The largest 5 %")}};
constexpr OptionChoice poolingChoices[] = {{"largest", QT_TRANSLATE_NOOP("attn::ui", "The largest of its cells")},
                                           {"mean", QT_TRANSLATE_NOOP("attn::ui", "The mean of its cells")}};
constexpr OptionChoice marginsChoices[] = {{"none", QT_TRANSLATE_NOOP("attn::ui", "Nothing")},
                                           {"sum", QT_TRANSLATE_NOOP("attn::ui", "Sums")},
                                           {"entropy", QT_TRANSLATE_NOOP("attn::ui", "Entropies")},
                                           {"largest", QT_TRANSLATE_NOOP("attn::ui", "Largest weights")}};
constexpr OptionChoice numbersChoices[] = {{"auto", QT_TRANSLATE_NOOP("attn::ui", "Where they fit")},
                                           {"on", QT_TRANSLATE_NOOP("attn::ui", "Always")},
                                           {"off", QT_TRANSLATE_NOOP("attn::ui", "Never")},
                                           {"large", QT_TRANSLATE_NOOP("attn::ui", "From a tenth on")}};

constexpr OptionChoice layoutChoices[] = {{"columns", QT_TRANSLATE_NOOP("attn::ui", "Side by side")},
                                          {"rows", QT_TRANSLATE_NOOP("attn::ui", "Above each other")}};
constexpr OptionChoice shadingChoices[] = {{"to", QT_TRANSLATE_NOOP("attn::ui", "What is attended to")},
                                           {"from", QT_TRANSLATE_NOOP("attn::ui", "What attends")}};

constexpr OptionChoice overlayChoices[] = {{"light", QT_TRANSLATE_NOOP("attn::ui", "Light")},
                                           {"heat", QT_TRANSLATE_NOOP("attn::ui", "Heat")},
                                           {"cells", QT_TRANSLATE_NOOP("attn::ui", "Cells")}};

// Choices of rows that have an id and a title.
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
    const auto most = colon == std::string_view::npos ? std::nullopt : parsedNumber<double>(text.substr(colon + 1));
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
    const auto last = dash == std::string_view::npos ? first : parsedNumber<int>(text.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first)
        refuse(key, text, "two whole numbers from 0, such as 3-12");
    return {*first, *last};
}

// Heads of other layers with their layer: "0,2,3:1".
std::optional<std::string> headsText(const FigureChoices& choices)
{
    std::string text;
    const auto add = [&text](const std::string& head) { text += (text.empty() ? "" : ",") + head; };
    for (const int head : choices.heads.ofLayer)
        add(std::to_string(head));
    for (const HeadPlace& place : choices.heads.elsewhere)
        add(std::to_string(place.layer) + ':' + std::to_string(place.head));
    return text.empty() ? std::nullopt : std::optional(text);
}

void setHeads(FigureChoices& choices, std::string_view text)
{
    HeadSet heads;
    const auto number = [text](std::string_view part) {
        const auto found = parsedNumber<int>(part);
        if (!found || *found < 0)
            refuse("heads", text, "heads from 0 such as 0,2,5, those of other layers as LAYER:HEAD");
        return *found;
    };
    for (std::string_view rest = text;;) {
        const std::string_view part = rest.substr(0, rest.find(','));
        const std::size_t colon = part.find(':');
        if (colon == std::string_view::npos)
            heads.ofLayer.push_back(number(part));
        else
            heads.elsewhere.push_back({number(part.substr(0, colon)), number(part.substr(colon + 1))});
        if (part.size() == rest.size())
            break;
        rest.remove_prefix(part.size() + 1);
    }
    const auto once = [](auto& list) {
        std::ranges::sort(list);
        const auto again = std::unique(list.begin(), list.end());
        list.erase(again, list.end());
    };
    once(heads.ofLayer);
    once(heads.elsewhere);
    choices.heads = std::move(heads);
}

// The given ones, and behind them the measures of heads.
std::vector<OptionChoice> withMeasures(std::vector<OptionChoice> first)
{
    for (const HeadMeasure& measure : headMeasures())
        first.push_back({measure.id, measure.title});
    return first;
}

const HeadMeasure* measureAt(int index)
{
    return index < 0 ? nullptr : &headMeasures()[static_cast<std::size_t>(index)];
}

// Empty: not given.
template<QString FigureChoices::*Text>
TextMember<FigureChoices> freeText()
{
    return {[](const FigureChoices& choices) {
                return (choices.*Text).isEmpty() ? std::nullopt : std::optional((choices.*Text).toStdString());
            },
            [](FigureChoices& choices, std::string_view text) {
                choices.*Text = QString::fromUtf8(text.data(), std::ssize(text));
            }};
}

std::vector<OptionRow<FigureChoices>> makeRows()
{
    static const auto specials = choicesOf(specialsRows);
    static const auto pairs = choicesOf(pairRows);
    static const auto pairings = choicesOf(pairingRows);
    static const auto colors = choicesOf(colorMaps());
    static const auto themes = choicesOf(themeRows);
    static const auto languages = choicesOf(languageRows);
    static const auto orders = withMeasures({{"place", QT_TRANSLATE_NOOP("attn::ui", "Layer and head")},
                                             {"kind", QT_TRANSLATE_NOOP("attn::ui", "Kind")},
                                             {"likeness", QT_TRANSLATE_NOOP("attn::ui", "Likeness")}});
    static const auto notes = withMeasures({{"auto", QT_TRANSLATE_NOOP("attn::ui", "Automatic")},
                                            {"kind", QT_TRANSLATE_NOOP("attn::ui", "Kind")},
                                            {"none", QT_TRANSLATE_NOOP("attn::ui", "Nothing")}});
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
         .value = "auto|map|row|head|layer|all|LOW:HIGH",
         .help = "of which weights the largest has the last colour, or two numbers",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Range"),
         .scope = Kept},
        {.key = "range-without",
         .member = choiceMember<&FigureChoices::rangeWithout>(withoutChoices),
         .help = "whether the first token and special tokens count for the range",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Range over"),
         .scope = Kept},
        {.key = "clip",
         .member = &FigureChoices::clip,
         .limits = {.least = 50, .most = 100},
         .value = "PERCENT",
         .help = "end the range at this percentile of the weights, and mark what is above it",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Clip"),
         .scope = Kept},
        {.key = "zoomed-out",
         .member = choiceMember<&FigureChoices::pooling>(poolingChoices),
         .help = "what a dot shows of cells that are smaller",
         .label = QT_TRANSLATE_NOOP("attn::ui", "A dot shows"),
         .scope = Kept},
        {.key = "margins",
         .member = choiceMember<&FigureChoices::margins>(marginsChoices),
         .help = "of each row and column of a matrix, beside it",
         .label = QT_TRANSLATE_NOOP("attn::ui", "At the margins"),
         .scope = Kept},
        {.key = "heads",
         .member = TextMember<FigureChoices>{headsText, setHeads},
         .value = "0,2,5",
         .help = "that mean and max are taken over, grid marks and arcs draw; of another layer as LAYER:HEAD"},
        {.key = "sort",
         .member = choiceMember<&FigureChoices::headOrder>(orders),
         .help = QT_TRANSLATE_NOOP("attn::ui", "what the tiles of all heads are ordered by"),
         .label = QT_TRANSLATE_NOOP("attn::ui", "&Sort by"),
         .scope = Kept},
        {.key = "least-first",
         .member = &FigureChoices::leastFirst,
         .help = QT_TRANSLATE_NOOP("attn::ui", "of what they are ordered by the least first"),
         .label = QT_TRANSLATE_NOOP("attn::ui", "S&mallest first"),
         .scope = Kept},
        {.key = "tile-label",
         .member = choiceMember<&FigureChoices::headNote>(notes),
         .help = QT_TRANSLATE_NOOP("attn::ui", "what is said of each head on its tile"),
         .label = QT_TRANSLATE_NOOP("attn::ui", "Labe&l"),
         .scope = Kept},
        {.key = "threshold",
         .member = &FigureChoices::threshold,
         .limits = {.most = 1, .step = 0.01},
         .value = "WEIGHT",
         .help = "of lines: draw none for weights below",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Threshold"),
         .scope = Kept},
        {.key = "top-mass",
         .member = &FigureChoices::topMass,
         .limits = {.most = 1, .step = 0.05},
         .value = "PART",
         .help = "of lines: of each row only the largest weights that make up this part of its sum",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Top mass"),
         .scope = Kept},
        {.key = "layout",
         .member = choiceMember<&FigureChoices::linesLayout>(layoutChoices),
         .help = "of lines: two lists, or running text above and below",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Layout"),
         .scope = Kept},
        {.key = "shade",
         .member = choiceMember<&FigureChoices::shading>(shadingChoices),
         .help = "of text, lines and pictures: what the picked tokens attend to, or from where they are attended to",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Show"),
         .scope = Kept},
        {.key = "pick",
         .member = &FigureChoices::picked,
         .value = "2,3",
         .help = "of text, lines and pictures: the tokens that are shown, by their numbers from 0"},
        {.key = "overlay",
         .member = choiceMember<&FigureChoices::overlay>(overlayChoices),
         .help = "of pictures: weights as light, as colours, or as colours patch by patch",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Weights as"),
         .scope = Kept},
        {.key = "opacity",
         .member = &FigureChoices::opacity,
         .limits = {.least = 0.05, .most = 1, .step = 0.05},
         .value = "PART",
         .help = "of pictures: of the colours of heat and cells",
         .label = QT_TRANSLATE_NOOP("attn::ui", "Opacity"),
         .scope = Kept},
        {.key = "panels",
         .member = &FigureChoices::panels,
         .limits = {.least = 0, .most = 100},
         .value = "N",
         .help = "of pictures: so many to a line of the sheet, 0 for as many as fit"},
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
         .member = freeText<&FigureChoices::title>(),
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
         .scope = OfExports},
        {.key = "font",
         .member = freeText<&FigureChoices::fontFamily>(),
         .value = "NAME",
         .help = "the family of the letters, as it is installed; not in TeX, which has its own",
         .scope = OfExports},
        {.key = "language",
         .member = choiceMember<&FigureChoices::language>(languages),
         .help = "of the words and numbers in the figure"}};
}

} // namespace

const HeadMeasure* measureOf(HeadOrder order)
{
    return measureAt(static_cast<int>(order) - static_cast<int>(HeadOrder::FirstMeasure));
}

const HeadMeasure* measureOf(HeadNote note)
{
    return measureAt(static_cast<int>(note) - static_cast<int>(HeadNote::FirstMeasure));
}

std::span<const OptionChoice> offeredChoices(const OptionRow<FigureChoices>& row)
{
    if (const auto* const choice = std::get_if<ChoiceMember<FigureChoices>>(&row.member))
        return choice->choices;
    const std::string_view key = row.key;
    if (key == "range")
        return rangeChoices;
    return key == "clip" ? std::span<const OptionChoice>(clipChoices) : std::span<const OptionChoice>();
}

std::span<const OptionRow<FigureChoices>> figureRows()
{
    static const auto rows = makeRows();
    return rows;
}

} // namespace attn::ui
