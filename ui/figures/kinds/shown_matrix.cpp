// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"

#include "base/index.h"
#include "figures/figure.h"
#include "figures/kinds/edit_words.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "maps/map_range.h"
#include "trace/site.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace attn::ui {

namespace {

ReadingInput inputOf(const FigureSpec& spec, const Trace& trace)
{
    return readingInput(trace, {spec.site, spec.head}, spec.leaf, spec.heads);
}

// The picked heads that the reading combines; empty: all.
std::vector<HeadPlace> combinedPicks(const FigureSpec& spec, const Trace& trace)
{
    return spec.head.reading().of == ReadingOf::Heads ? spec.heads.existing(trace, spec.site)
                                                      : std::vector<HeadPlace>();
}

int generatedCount(const FigureSpec& spec, const Trace& trace)
{
    return std::max(0, trace.steps(spec.leaf) + trace.firstStepToken() - trace.firstGenerated());
}

// Whether there is an output that was searched for, and not only a text that was read.
bool hasDecoded(const FigureSpec& spec, const Trace& trace)
{
    return trace.continuesSource() ? generatedCount(spec, trace) > 0 : !trace.stepsAreTokens();
}

// Tokens that are left out, for the caption.
QStringList filterNames(const FigureSpec& spec, const Trace& trace)
{
    QStringList names;
    if (shownTexts(spec.mapSpec(), trace))
        names.append(Figure::tr("only %1").arg(translated(pairRows[static_cast<int>(spec.pair)].title)));
    if (hidesSpecials(spec.mapSpec(), trace))
        names.append(spec.specials == SpecialTokens::HiddenRenormalized
                             && (spec.head.reading().values == ReadingValues::Distribution || spec.kind->drawsAllHeads)
                         ? Figure::tr("special tokens hidden, rows renormalised")
                         : Figure::tr("special tokens hidden"));
    return names;
}

// Why some characters are shown as their code points; empty: none are.
QString missingGlyphs(const FigureSpec& spec, const Trace& trace)
{
    if (!trace.has(spec.leaf))
        return {};
    const auto undrawable = [](const std::string& label) { return !isDrawable(label); };
    for (const Encoding& encoding :
         {trace.source(), spec.site.stage == Stage::Encoder ? Encoding() : trace.rowTokens(spec.site, spec.leaf)}) {
        const auto& labels = encoding.labels.empty() ? encoding.tokens : encoding.labels;
        if (std::any_of(labels.begin(), labels.end(), undrawable))
            return Figure::tr("no font on this computer has the characters in \u27E6 \u27E7");
    }
    return {};
}

// Text of a token or a label by its number: as it is written among the candidates of the position.
QString tokenName(const Trace& trace, const ReadingAbout& about, int id)
{
    if (trace.classification())
        return outputLabel(trace, id);
    const int step = about.of.value_or(trace.firstStepToken()) - trace.firstStepToken();
    for (const BarListContent::Entry& entry : candidatesAt(trace, {}, step)) {
        if (entry.id == id)
            return entry.label;
    }
    return QStringLiteral("#%1").arg(id);
}

} // namespace

QString outputLabel(const Trace& trace, int position)
{
    const auto at = static_cast<std::size_t>(position);
    if (const auto& classes = trace.classification())
        return at < classes->labels.size() ? readableToken(classes->labels[at]) : QString::number(position);
    const std::vector<AxisGroup> tokens = tokenAxis(trace.stepTokens());
    return at < tokens.size() ? readableToken(tokens[at].label) : QString::number(position);
}

QString sinkName()
{
    return Figure::tr("(sink)");
}

QStringList axisLabels(const MapAxis& axis)
{
    QStringList labels;
    labels.reserve(std::ssize(axis.groups));
    for (const AxisGroup& group : axis.groups)
        labels.append(group.first == MapAxis::sink
                          ? sinkName()
                          : readableToken(axis.kind == AttentionAxis::Tokens
                                              ? group.label
                                              : placeName(axis.kind, group.first, group.label)));
    return labels;
}

QStringList axisLabels(const Map& map, TokenSide side)
{
    const MapAxis Map::*const axis = side == TokenSide::Rows ? &Map::rows : &Map::columns;
    if (!map.isDifference())
        return axisLabels(map.*axis);
    const QStringList ofHere = axisLabels(map.compared->first.*axis);
    const QStringList ofThere = axisLabels(map.compared->second.*axis);
    QStringList labels;
    for (const PairedPlace& place : (map.*axis).pairs) {
        const QString one = place.here ? ofHere.value(*place.here) : QString();
        const QString other = place.there ? ofThere.value(*place.there) : QString();
        const bool both = place.isPaired() && one != other;
        labels << (both ? one + QStringLiteral(" / ") + other : place.here ? one : other);
    }
    return labels;
}

QStringList rowQueries(const FigureSpec& spec, const Trace& trace, const MapAxis& rows)
{
    QStringList queries;
    if (spec.site.stage != Stage::Decoder || !trace.writesOn())
        return queries;
    const std::vector<AxisGroup> inputs = tokenAxis(trace.decoderInputs(spec.leaf));
    for (const AxisGroup& row : rows.groups) {
        QStringList tokens;
        for (int query = std::max(row.first, 0); query < std::min(row.first + row.count, indexSize(inputs)); ++query)
            tokens << readableToken(inputs[static_cast<std::size_t>(query)].label);
        queries << tokens.join(QStringLiteral("\u201D, \u201C"));
    }
    return queries;
}

QString withUnit(const QString& places, const Encoding& source)
{
    return !source.boxes.empty() ? Figure::tr("%1: row, column of the patch").arg(places)
        : !source.times.empty()  ? Figure::tr("%1, seconds").arg(places)
                                 : places;
}

QString attentionName(Stage stage, ModelKind kind)
{
    return translated(siteNames(stage, kind).name);
}

Missing missingMap(const Map& map, const FigureSpec& spec, const Trace& trace)
{
    switch (map.lack) {
    case MapLack::Nothing:
        return Missing::Nothing;
    case MapLack::Attention:
        break;
    case MapLack::Head:
        return Missing::Head;
    case MapLack::Step:
        return Missing::Step;
    case MapLack::Reading:
        return Missing::Reading;
    case MapLack::Tokens:
        return Missing::Tokens;
    }
    return missingAttention(spec, trace);
}

Missing missingAttention(const FigureSpec& spec, const Trace& trace)
{
    const bool begins = !trace.summary() && trace.stepCount() == 0 && !spec.archive;
    if (begins)
        return spec.stopped ? Missing::Stopped : Missing::NotYet;
    return trace.sites().empty() ? Missing::AnyAttention : Missing::Site;
}

bool writtenNothing(const Trace& trace, std::optional<StepId> leaf)
{
    if (!trace.summary() || trace.hasOneText() || !trace.has(leaf))
        return false;
    const Encoding target = trace.target(leaf);
    return std::ranges::count(target.special, true) == std::ssize(target.tokens);
}

QString missingText(Missing missing, const FigureSpec& spec, const Trace& trace)
{
    switch (missing) {
    case Missing::Nothing:
        break;
    case Missing::NotYet:
        return Figure::tr("No attention yet: it appears here when something has been read");
    case Missing::Stopped:
        return Figure::tr("The run was stopped before there was any %1")
            .arg(attentionName(spec.site.stage, trace.kind()));
    case Missing::AnyAttention:
        return Figure::tr("This model has no attention: one fixed context vector carries the whole sentence");
    case Missing::Site:
        return Figure::tr("This run has no %1").arg(siteName(spec.site, trace.kind()));
    case Missing::Head:
        return Figure::tr("This attention has heads 0 to %1, no %2")
            .arg(QString::number(trace.heads(spec.site) - 1), headName(spec.head));
    case Missing::Reading:
        if (const char* const lack = spec.head.reading().lack(inputOf(spec, trace));
            lack == notComputed && spec.archive)
            return Figure::tr("No %1 in this archive: the model computes it, and is not open").arg(headName(spec.head));
        else if (!spec.computes || lack != notComputed)
            return Figure::tr("No %1: %2").arg(headName(spec.head), translated(lack));
        return Figure::tr("Computing %1…").arg(headName(spec.head));
    case Missing::Step:
        return Figure::tr("This run has no step %1").arg(numberOf(spec.leaf.value_or(StepId{})));
    case Missing::Tokens:
        return spec.site.stage != Stage::Encoder && writtenNothing(trace, spec.leaf)
            ? Figure::tr("Nothing was written: the model ended its output at once")
            : std::ranges::count(trace.source().special, false) == 0
            ? Figure::tr("Nothing has been read: the text is empty")
            : Figure::tr("Every token of this attention is hidden");
    case Missing::Search:
        return Figure::tr("This model reads a text and writes none, so there is nothing to search for");
    case Missing::Output:
        return trace.continuesSource() && trace.summary() ? Figure::tr("One token has no history: continue the text")
                                                          : Figure::tr("Nothing has been decoded yet");
    }
    return {};
}

QString missingText(const Map& map, const FigureSpec& spec, const Trace& trace)
{
    const bool isOfOther = map.isDifference() && map.compared->first.lack == MapLack::Nothing
        && map.compared->second.lack != MapLack::Nothing;
    if (!isOfOther)
        return missingText(missingMap(map, spec, trace), spec, trace);
    return Figure::tr("The run that this one is compared with: %1")
        .arg(missingText(map.compared->second, specOfOther(spec), spec.against->trace));
}

std::pair<std::size_t, std::size_t> stageShape(const FigureSpec& spec, const Trace& trace)
{
    if (!trace.has(spec.leaf))
        return {0, 0};
    const std::size_t rows =
        spec.site.stage == Stage::Encoder ? trace.source().size() : trace.rowPath(spec.leaf).size();
    return {rows, spec.site.stage == Stage::Decoder ? rows : trace.source().size()};
}

std::size_t headCount(const FigureSpec& spec, const Trace& trace)
{
    std::size_t heads = 0;
    for (const Site& site : trace.sites())
        heads += site.stage == spec.site.stage ? static_cast<std::size_t>(trace.heads(site)) : 0;
    return heads;
}

std::size_t tokensCost(const FigureSpec& spec, const Trace& trace)
{
    constexpr std::size_t perToken = 100;
    const auto [rows, columns] = stageShape(spec, trace);
    return perToken * (rows + columns);
}

std::size_t shownMapCost(const FigureSpec& spec, const Trace& trace)
{
    return mapCost(spec.mapSpec(), trace) * spec.shownRuns(trace).costFactor() + tokensCost(spec, trace);
}

const Reading* FigureSpec::computedReading() const
{
    const Reading& reading = head.reading();
    return reading.computed && (!kind->drawsAllHeads || reading.of == ReadingOf::EachHead) ? &reading : nullptr;
}

ShownRuns FigureSpec::shownRuns(const Trace& trace) const
{
    return {trace, against ? &against->trace : nullptr};
}

bool FigureSpec::isSigned() const
{
    const bool draws = !kind->drawsAllHeads || head.reading().of == ReadingOf::EachHead;
    return against || (draws && head.reading().values == ReadingValues::Signed);
}

bool FigureSpec::isForAndAgainst() const
{
    return !against && isSigned() && explainsOutput(head.reading());
}

QString valueName(const FigureSpec& spec)
{
    const Reading& chosen = spec.head.reading();
    const Reading& reading = spec.kind->drawsAllHeads && chosen.of != ReadingOf::EachHead ? oneHead : chosen;
    if (spec.against)
        return reading.number != nullptr ? Figure::tr("difference of weights")
                                         : Figure::tr("difference of %1").arg(translated(reading.title));
    return translated(reading.number != nullptr ? reading.number : reading.title);
}

std::optional<int> stepRow(const FigureSpec& spec, const Trace& trace, const Map& map)
{
    const std::optional<int> step = trace.hasRowsOfSteps(spec.site) ? markedStep(spec, trace) : std::nullopt;
    return step ? map.rows.indexOf(*step) : std::nullopt;
}

WrittenPart writtenPart(const FigureSpec& spec, const Trace& trace, const Map& map)
{
    const bool ends = !spec.currentStep || (!spec.moment && *spec.currentStep + 1 >= trace.steps(spec.leaf));
    if (!spec.untilStep || ends || trace.stepsAreTokens() || !trace.hasRowsOfSteps(spec.site))
        return {};
    // A word that comes to be written is not there yet.
    const auto written = [step = *spec.currentStep, comes = spec.moment.has_value()](const MapAxis& axis) {
        const auto next = std::ranges::find_if(axis.groups, [step, comes](const AxisGroup& group) {
            return comes ? group.first + group.count > step : group.first > step;
        });
        return static_cast<int>(next - axis.groups.begin());
    };
    WrittenPart part{.rows = std::max(spec.moment ? 0 : 1, written(map.rows))};
    if (spec.site.stage == Stage::Decoder)
        part.columns = written(map.columns);
    return part;
}

QString siteName(Site site, ModelKind kind)
{
    return Figure::tr("%1, layer %2").arg(attentionName(site.stage, kind)).arg(site.layer);
}

QString headName(const HeadReading& head, std::optional<int> heads)
{
    const Reading& reading = head.reading();
    const bool counts = heads && reading.ofCount != nullptr;
    QString name = translated(counts ? reading.ofCount : reading.title);
    if (!head.head())
        return counts ? name.arg(*heads) : name;
    if (reading.of == ReadingOf::EachHead)
        return heads == 1 ? name : Figure::tr("%1, head %2").arg(name).arg(*head.head());
    name = name.arg(*head.head());
    return !heads ? name : heads == 1 ? QString() : name.arg(*heads);
}

QString headsName(const Reading& reading, const std::vector<HeadPlace>& picked, Site site)
{
    constexpr int most = 6; // that are named
    if (indexSize(picked) > most && reading.ofPicked != nullptr)
        return translated(reading.ofPicked).arg(picked.size());
    QStringList names;
    const bool layers = std::ranges::any_of(picked, [&](const HeadPlace& place) { return place.layer != site.layer; });
    for (const HeadPlace& place : picked)
        names << (layers ? Figure::tr("L%1 H%2").arg(place.layer).arg(place.head) : QString::number(place.head));
    const QString named =
        reading.ofNamed != nullptr ? translated(reading.ofNamed) : translated(reading.title) + QStringLiteral(": %1");
    return named.arg(names.join(QStringLiteral(", ")));
}

QString shownHeads(const FigureSpec& spec, const Trace& trace)
{
    const std::vector<HeadPlace> picked = combinedPicks(spec, trace);
    return picked.empty() ? headName(spec.head, trace.heads(spec.site))
                          : headsName(spec.head.reading(), picked, spec.site);
}

QString explainedText(const FigureSpec& spec, const Trace& trace)
{
    const QString name = explainedName(spec, trace);
    return name.isEmpty() ? name : Figure::tr("explains %1").arg(name);
}

QString explainedName(const FigureSpec& spec, const Trace& trace)
{
    const ReadingAbout& about = spec.head.about();
    if (spec.computedReading() == nullptr || !explainsOutput(spec.head.reading()) || (!about.of && !about.all))
        return {};
    const QString what =
        about.all ? Figure::tr("every output token") : Figure::tr("\u201C%1\u201D").arg(outputLabel(trace, *about.of));
    return about.against
        ? Figure::tr("%1 rather than \u201C%2\u201D").arg(what, tokenName(trace, about, *about.against))
        : what;
}

QString titleOfRun(const QString& title, const Trace& trace)
{
    return trace.provenance().edits.empty() ? title : Figure::tr("%1, edited").arg(title);
}

QString decodingText(const Trace& trace)
{
    static constexpr const char* names[] = {
        // of the searches, and of a given output
        QT_TRANSLATE_NOOP("attn::ui", "greedy"), QT_TRANSLATE_NOOP("attn::ui", "beam"),
        QT_TRANSLATE_NOOP("attn::ui", "sample"), QT_TRANSLATE_NOOP("attn::ui", "forced")};
    const std::string& text = trace.provenance().decoding;
    const std::size_t end = std::min(text.find_first_of(": "), text.size());
    const auto name = std::ranges::find(names, std::string_view(text).substr(0, end),
                                        [](const char* known) { return std::string_view(known); });
    if (name == std::end(names))
        return QString::fromStdString(text);
    QString options = QString::fromStdString(text.substr(end));
    options.replace(QLatin1Char(' '), QStringLiteral(", "));
    return translated(*name)
        + options.replace(QLatin1Char(':'), QLatin1Char(' ')).replace(QLatin1Char('='), QLatin1Char(' '));
}

FigureTitle figureTitle(const FigureSpec& spec, const Trace& trace)
{
    FigureTitle result;
    result.title = spec.title.isEmpty() ? capitalized(attentionName(spec.site.stage, trace.kind())) : spec.title;
    const Provenance& provenance = trace.provenance();
    if (spec.title.isEmpty())
        result.title = titleOfRun(result.title, trace);
    QStringList parts;
    if (!provenance.model.empty())
        parts.append(readableToken(provenance.model));
    const bool allHeads = spec.kind->drawsAllHeads;
    const std::vector<HeadPlace> picked = allHeads ? std::vector<HeadPlace>() : combinedPicks(spec, trace);
    const bool otherLayers =
        std::ranges::any_of(picked, [&](const HeadPlace& place) { return place.layer != spec.site.layer; });
    const bool hasLayers = std::ranges::count(trace.sites(), spec.site.stage, &Site::stage) > 1;
    if (hasLayers && !allHeads && !otherLayers && spec.head.reading().of != ReadingOf::Tokens)
        parts.append(Figure::tr("layer %1").arg(spec.site.layer));
    const std::vector<int> apart = spec.kind->drawsHeadsApart ? drawnHeads(spec, trace) : std::vector<int>();
    if (const int heads = trace.heads(spec.site); apart.size() > 1) {
        QStringList numbers;
        for (const int head : apart)
            numbers.append(QString::number(head));
        parts.append(Figure::tr("heads %1 of %2").arg(numbers.join(QStringLiteral(", ")), QString::number(heads)));
    } else if (heads > 0 && !allHeads && !spec.kind->drawsExperts) {
        const HeadReading head = apart.empty() ? spec.head : HeadReading(apart.front());
        const QString name = picked.empty() || !apart.empty() ? headName(head, heads)
                                                              : headsName(spec.head.reading(), picked, spec.site);
        if (!name.isEmpty() && (heads > 1 || spec.head.reading().of != ReadingOf::Heads))
            parts.append(name);
    }
    if (const Reading* const ofTiles = allHeads ? spec.computedReading() : nullptr)
        parts.append(translated(ofTiles->title));
    if (const QString explained = explainedText(spec, trace); !explained.isEmpty())
        parts.append(explained);
    if (!provenance.decoding.empty() && !trace.readsOnly() && spec.site.stage != Stage::Encoder
        && hasDecoded(spec, trace))
        parts.append(decodingText(trace));
    if (const int edits = indexSize(provenance.edits); edits > 0)
        parts.append(edits > 1 ? Figure::tr("%1 edits").arg(edits)
                         : spec.editedFrom
                         ? Figure::tr("edited: %1").arg(editInWords(provenance.edits.front(), *spec.editedFrom))
                         : Figure::tr("edited: %1").arg(editInWords(provenance.edits.front(), trace, spec.leaf)));
    if (const int added = generatedCount(spec, trace); added > 0)
        parts.append((added == 1 ? Figure::tr("1 generated token in italics")
                                 : Figure::tr("%1 generated tokens in italics").arg(added)));
    parts.append(filterNames(spec, trace));
    if (const QString missing = missingGlyphs(spec, trace); !missing.isEmpty())
        parts.append(missing);
    result.subtitle = parts.join(QStringLiteral(" \u00B7 "));
    return result;
}

} // namespace attn::ui
