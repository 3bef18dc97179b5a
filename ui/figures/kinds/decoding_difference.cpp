// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_range.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/aligned_texts.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/panel_figure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double textsPart = 0.5; // of the height at most
constexpr double leastBars = 110; // of height
constexpr double barPitch = 22;
constexpr double aroundBars = 80; // title, axis and margins

// A run's output, or the text that it read, and where its steps lie in it.
struct ComparedText
{
    const Trace& trace;
    std::optional<StepId> leaf;
    std::vector<AxisGroup> tokens;

    ComparedText(const Trace& of, std::optional<StepId> end)
        : trace(of)
        , leaf(end)
        , tokens(tokenAxis(of.stepTokens(end)))
    {
    }

    std::vector<std::string> labels() const
    {
        std::vector<std::string> all;
        for (const AxisGroup& token : tokens)
            all.push_back(token.label);
        return all;
    }

    std::optional<int> stepOf(std::optional<int> token) const { return token ? trace.stepOf(*token) : std::nullopt; }

    // Log probability in the token's own run.
    double logProbability(const Trace::Path& path, int token) const
    {
        const std::optional<int> step = stepOf(token);
        return step && *step < indexSize(path) ? static_cast<double>(path[*step]->step.logProbability)
                                               : AlignedContent::unknown;
    }
};

double scoreAt(const OutputScore& score, std::optional<int> step)
{
    return step && *step < indexSize(score.tokens) ? score.tokens[*step] : AlignedContent::unknown;
}

// The step of two runs that is looked at.
class ComparedStep
{
public:
    ComparedStep(const FigureSpec& spec, const Trace& trace)
        : m_spec(spec)
        , m_trace(trace)
        , m_other(spec.against->trace)
        , m_here(trace, spec.leaf)
        , m_there(m_other, {})
        , m_places(pairPlaces(m_here.labels(), m_there.labels(), spec.pairing))
    {
        const std::optional<int> step =
            spec.currentStep ? shownStep(spec, trace) : firstParting().value_or(shownStep(spec, trace).value_or(0));
        const int last = trace.steps(spec.leaf) - 1; // what comes next is in no run
        for (int i = 0; i < indexSize(m_places); ++i) {
            if (step && m_here.stepOf(m_places[i].here) == std::min(*step, last))
                m_at = i;
        }
    }

    AlignedContent texts() const
    {
        AlignedContent content;
        content.title = differenceTitle({stepTitle(), figureTitle(m_spec, m_trace).subtitle}, m_spec, m_trace);
        std::tie(content.hereName, content.thereName) = comparedNames(m_spec, m_trace);
        content.marked = m_at;
        const Trace::Path herePath = pathOf(m_here);
        const Trace::Path therePath = pathOf(m_there);
        const bool best = !m_spec.leaf || m_spec.leaf == m_trace.bestLeaf(); // the score is of no other hypothesis
        const OutputScore hereUnder = best ? m_spec.against->shownUnderIt : OutputScore();
        const OutputScore& thereUnder = m_spec.against->itUnderShown;
        AlignedContent::Column sum{
            {Figure::tr("sum"), 0, hereUnder.tokens.empty() ? AlignedContent::unknown : hereUnder.sum},
            {Figure::tr("sum"), thereUnder.tokens.empty() ? AlignedContent::unknown : thereUnder.sum, 0}};
        for (const PairedPlace& place : m_places) {
            AlignedContent::Column column;
            if (place.here)
                column.here = {labelOf(m_here, *place.here), m_here.logProbability(herePath, *place.here),
                               scoreAt(hereUnder, m_here.stepOf(place.here))};
            if (place.there)
                column.there = {labelOf(m_there, *place.there), scoreAt(thereUnder, m_there.stepOf(place.there)),
                                m_there.logProbability(therePath, *place.there)};
            if (isOutput(m_here, place.here))
                sum.here.first += column.here.first;
            if (isOutput(m_there, place.there))
                sum.there.second += column.there.second;
            content.columns.push_back(std::move(column));
        }
        if (!herePath.empty() && !therePath.empty())
            content.sum = sum;
        return content;
    }

    BarListContent attention(int most) const
    {
        FigureSpec tokens = m_spec;
        tokens.words = false;
        tokens.rows.reset();
        tokens.pair = PairFilter::All;
        if (tokens.site.stage == Stage::Encoder && !reads() && !m_trace.sites().empty())
            tokens.site = m_trace.sites().back(); // says something about a step
        BarListContent content;
        content.signs = true;
        const int heads = m_trace.heads(tokens.site);
        content.title = {Figure::tr("attention"), Figure::tr("difference of weights, layer %1").arg(tokens.site.layer)};
        if (heads > 1)
            content.title.subtitle += QStringLiteral(", ") + headName(tokens.head, heads);
        const Map axes = tokens.shownRuns(m_trace).axes(tokens.mapSpec());
        const QString missing = missingText(axes, tokens, m_trace);
        content.empty = !missing.isEmpty() ? missing
            : m_trace.rowAxis(tokens.site) != AttentionAxis::Tokens
            ? Figure::tr("The rows of this attention are no tokens: the heatmap compares them")
            : alone();
        const auto rows = rowsOf(tokens, axes);
        if (!rows)
            return content;
        const Map line = differenceOfRows(m_trace, m_other, tokens.mapSpec(), *rows);
        const QStringList labels = axisLabels(line, TokenSide::Columns);
        for (int column = 0; column < line.numbers.columns; ++column) {
            if (line.state(0, column) < CellState::Blank)
                content.entries.push_back({labels.value(column), line.at(0, column), false});
        }
        keepLargest(content, most);
        const ValueScale scale = scaleTo(m_spec, content.most, true);
        content.least = scale.least();
        content.most = scale.most();
        content.scale = m_spec.scale;
        return content;
    }

    BarListContent candidates(int most) const
    {
        BarListContent content;
        content.signs = true;
        const QString prediction = predictionTitle(m_trace);
        content.title = {prediction.isEmpty() ? Figure::tr("candidates") : prediction,
                         Figure::tr("second \u2192 first")};
        content.empty = alone();
        const auto here = named(m_here, m_at ? m_places[*m_at].here : std::nullopt);
        const auto there = named(m_there, m_at ? m_places[*m_at].there : std::nullopt);
        if (here.empty() || there.empty()) {
            if (m_at && m_places[*m_at].isPaired())
                content.empty = Figure::tr("No candidates are known of one of the two");
            return content;
        }
        for (const ProbabilityChange& change : probabilityChanges(here, there)) {
            const auto number = [](const std::optional<double>& value) {
                return value ? probabilityText(*value) : QStringLiteral("?");
            };
            content.entries.push_back(
                {.label = QString::fromStdString(change.name),
                 .value = change.rise(),
                 .taken = change.takenHere || change.takenThere,
                 .number = number(change.there) + QStringLiteral(" \u2192 ") + number(change.here)});
        }
        keepLargest(content, most);
        const QString unknown = QStringLiteral("?");
        if (std::ranges::any_of(content.entries, [&](const auto& entry) { return entry.number.contains(unknown); }))
            content.title.subtitle += Figure::tr(" \u00B7 ?: not among the best");
        return content;
    }

private:
    bool reads() const { return m_trace.stepsAreTokens(); }

    static Trace::Path pathOf(const ComparedText& text)
    {
        return text.trace.stepsAreTokens() ? Trace::Path() : text.trace.path(text.leaf);
    }

    static QString labelOf(const ComparedText& text, int token) { return readableToken(text.tokens[token].label); }

    // Whether a sum counts the token: not one of the prompt of a text that was continued.
    static bool isOutput(const ComparedText& text, std::optional<int> token)
    {
        const int prompt = text.trace.firstGenerated();
        const bool continued = indexSize(text.tokens) > prompt;
        return text.stepOf(token) && (!continued || *token >= prompt);
    }

    std::optional<int> firstParting() const
    {
        const auto here = m_here.labels();
        const auto there = m_there.labels();
        for (const PairedPlace& place : m_places) {
            if (place.isPaired() && here[*place.here] != there[*place.there])
                return m_here.stepOf(place.here);
        }
        return std::nullopt;
    }

    QString stepTitle() const
    {
        if (!m_spec.title.isEmpty())
            return m_spec.title;
        const std::optional<int> step = m_at ? m_here.stepOf(m_places[*m_at].here) : std::nullopt;
        if (!step)
            return {};
        const int last = m_trace.steps(m_spec.leaf) - 1;
        return (reads() ? Figure::tr("token %1 (0 to %2)") : Figure::tr("step %1 (0 to %2)")).arg(*step).arg(last);
    }

    // Why there is nothing to subtract at the place that is looked at.
    QString alone() const
    {
        return m_at && m_places[*m_at].isPaired()
            ? Figure::tr("The two have nothing in common here")
            : Figure::tr("This token is in the first of the two only: nothing stands beside it");
    }

    // The rows of the step in both matrices.
    std::optional<std::pair<int, int>> rowsOf(const FigureSpec& spec, const Map& axes) const
    {
        if (!m_at || !m_places[*m_at].isPaired() || axes.lack != MapLack::Nothing
            || m_trace.rowAxis(spec.site) != AttentionAxis::Tokens)
            return std::nullopt;
        const auto here = m_here.stepOf(m_places[*m_at].here);
        const auto there = m_there.stepOf(m_places[*m_at].there);
        const auto hereRow = here ? axes.compared->first.rows.indexOf(*here) : std::nullopt;
        const auto thereRow = there ? axes.compared->second.rows.indexOf(*there) : std::nullopt;
        return hereRow && thereRow ? std::optional(std::pair(*hereRow, *thereRow)) : std::nullopt;
    }

    static std::vector<NamedProbability> named(const ComparedText& text, std::optional<int> token)
    {
        std::vector<NamedProbability> all;
        for (const auto& entry : candidatesAt(text.trace, text.leaf, text.stepOf(token)))
            all.push_back({entry.label.toStdString(), entry.value, entry.taken});
        return all;
    }

    // The scale is symmetric.
    static void keepLargest(BarListContent& content, int most)
    {
        std::ranges::stable_sort(content.entries, std::ranges::greater(),
                                 [](const auto& entry) { return numberOrLeast(std::abs(entry.value)); });
        if (const int all = indexSize(content.entries); all > most) {
            const auto leftOut = std::span(content.entries).subspan(static_cast<std::size_t>(most));
            content.leftOut = all - most;
            content.noNumbersLeftOut = static_cast<int>(countNoNumbers(leftOut, &BarListContent::Entry::value));
            content.entries.resize(static_cast<std::size_t>(most));
            content.title.subtitle += Figure::tr(" \u00B7 the %1 largest of %2").arg(most).arg(all);
        }
        std::vector<float> magnitudes;
        for (const auto& entry : content.entries)
            magnitudes.push_back(static_cast<float>(std::abs(entry.value)));
        content.most = weightScaleEnd(magnitudes);
        content.least = -content.most;
    }

    const FigureSpec& m_spec;
    const Trace& m_trace;
    const Trace& m_other;
    ComparedText m_here;
    ComparedText m_there;
    PairedPlaces m_places;
    std::optional<int> m_at; // the place that is looked at
};

} // namespace

std::unique_ptr<const Figure> decodingDifference(const FigureSpec& spec, const Trace& trace, QSizeF size)
{
    if (!spec.against || trace.steps(spec.leaf) == 0 || spec.against->trace.steps() == 0)
        return nullptr;
    const ComparedStep step(spec, trace);
    const bool natural = size.height() <= 0;
    const double most = natural ? 0 : std::max(size.height() * textsPart, size.height() - leastBars - 8 * barPitch);
    auto texts = std::make_unique<AlignedTexts>(spec, step.texts(), QSizeF(size.width(), most));
    const double top = texts->size().height();
    constexpr int mostNatural = 12;
    const double room = natural ? 0 : std::max(leastBars, size.height() - top);
    const int bars = natural ? mostNatural : std::max(2, static_cast<int>((room - aroundBars) / barPitch));
    std::vector<Panel> panels;
    panels.push_back({std::move(texts), {}});
    const QSizeF half(size.width() / 2, room);
    double bottom = top + room;
    const BarListContent lists[] = {step.attention(bars), step.candidates(bars)};
    for (int i = 0; i < 2; ++i) {
        panels.push_back({barListFigure(spec, lists[i], half), QPointF(i * half.width(), top)});
        bottom = std::max(bottom, top + panels.back().figure->size().height());
    }
    return std::make_unique<PanelFigure>(std::move(panels), QSizeF(size.width(), natural ? bottom : size.height()),
                                         themeColors(spec.theme).background);
}

} // namespace attn::ui
