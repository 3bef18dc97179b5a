// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"

#include "base/index.h"
#include "base/special_tokens.h"
#include "figures/figure.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/token_label.h"
#include "figures/look/translated.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

namespace attn::ui {

namespace {

constexpr int noToken = std::numeric_limits<int>::max();

// A partial matrix has fewer rows than its axis; tokens without names are numbered.
std::vector<AxisGroup> axis(const Encoding& encoding, AttentionAxis places, bool words, int size)
{
    std::vector<AxisGroup> groups = words ? wordAxis(encoding) : tokenAxis(encoding);
    for (AxisGroup& group : groups) {
        if (places != AttentionAxis::Tokens)
            group.label = placeName(places, group.first, group.label);
    }
    while (!groups.empty() && groups.back().first >= size)
        groups.pop_back();
    int covered = 0;
    for (AxisGroup& group : groups) {
        group.count = std::min(group.count, size - group.first);
        covered = group.first + group.count;
    }
    for (; covered < size; ++covered)
        groups.push_back({QStringLiteral("#%1").arg(covered).toStdString(), covered, 1});
    return groups;
}

QStringList readable(const std::vector<AxisGroup>& groups)
{
    QStringList labels;
    labels.reserve(static_cast<qsizetype>(groups.size()));
    for (const AxisGroup& group : groups)
        labels.append(readableToken(group.label));
    return labels;
}

QString shortEdit(const std::string& edit)
{
    constexpr qsizetype most = 40;
    const QString text = QString::fromStdString(edit).simplified();
    return text.size() > most ? text.left(most - 1) + QChar(0x2026) : text;
}

int segmentOf(const Encoding& encoding, int token)
{
    return token < indexSize(encoding.segments) ? encoding.segments[token] : 0;
}

bool isPair(const Encoding& encoding)
{
    return std::ranges::any_of(encoding.segments, [](int segment) { return segment > 0; });
}

bool hasSpecial(const Encoding& encoding)
{
    for (int token = 0; token < indexSize(encoding); ++token) {
        if (isSpecial(encoding, token))
            return true;
    }
    return false;
}

bool hidesSpecials(const FigureSpec& spec, const Trace& trace)
{
    return spec.specials != SpecialTokens::Shown
        && (hasSpecial(trace.rowTokens(spec.site, spec.leaf)) || hasSpecial(trace.columnTokens(spec.site, spec.leaf)));
}

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

MatrixShape chosenShape(const FigureSpec& spec, const Trace& trace)
{
    const ReadingInput input = inputOf(spec, trace);
    return trace.shape(input.heads.empty() ? spec.site : Site{spec.site.stage, input.heads.front().layer}, spec.leaf);
}

// The rows of tokens that the shown rows are made of.
RowSpan neededRows(const MatrixAxes& axes)
{
    const AxisGroup& first = axes.allRows[static_cast<std::size_t>(axes.rows.front())];
    const AxisGroup& last = axes.allRows[static_cast<std::size_t>(axes.rows.back())];
    return {first.first, last.first + last.count - first.first};
}

// The axes of these rows alone.
MatrixAxes axesOfNeeded(MatrixAxes axes)
{
    const int before = axes.rows.front();
    const int token = neededRows(axes).first;
    axes.allRows = {axes.allRows.begin() + before, axes.allRows.begin() + axes.rows.back() + 1};
    for (AxisGroup& group : axes.allRows)
        group.first -= token;
    for (int& row : axes.rows)
        row -= before;
    return axes;
}

// Each row of `values` divided by its sum over the columns in `summed`.
void scaleRowsToOne(Numbers& values, const std::vector<int>& summed)
{
    for (int row = 0; row < values.rows; ++row) {
        double sum = 0;
        for (const int column : summed)
            sum += values.at(row, column);
        float* first = values.values.data() + static_cast<std::ptrdiff_t>(row) * values.columns;
        if (sum > 0)
            std::transform(first, first + values.columns, first,
                           [sum](float weight) { return static_cast<float>(static_cast<double>(weight) / sum); });
    }
}

std::vector<AxisGroup> chosen(const std::vector<AxisGroup>& groups, const std::vector<int>& indices)
{
    std::vector<AxisGroup> result;
    result.reserve(indices.size());
    for (const int index : indices)
        result.push_back(groups[index]);
    return result;
}

constexpr PairRow pairs[] = {{"all", QT_TRANSLATE_NOOP("attn::ui", "Both, A and B")},
                             {"aa", QT_TRANSLATE_NOOP("attn::ui", "A \u2192 A"), 0, 0},
                             {"ab", QT_TRANSLATE_NOOP("attn::ui", "A \u2192 B"), 0, 1},
                             {"ba", QT_TRANSLATE_NOOP("attn::ui", "B \u2192 A"), 1, 0},
                             {"bb", QT_TRANSLATE_NOOP("attn::ui", "B \u2192 B"), 1, 1}};

const PairRow& pairRow(const FigureSpec& spec)
{
    return pairs[static_cast<int>(spec.pair)];
}

int generatedCount(const FigureSpec& spec, const Trace& trace)
{
    if (trace.kind() != ModelKind::DecoderOnly || !trace.has(spec.leaf))
        return 0;
    return std::max(0, indexSize(trace.path(spec.leaf)) + 1 - firstGenerated(trace));
}

// Whether there is an output that was searched for, and not only a text that was read.
bool hasDecoded(const FigureSpec& spec, const Trace& trace)
{
    return trace.kind() == ModelKind::EncoderDecoder || generatedCount(spec, trace) > 0;
}

// What is left out, for the caption.
QStringList filterNames(const FigureSpec& spec, const Trace& trace)
{
    QStringList names;
    if (filtersPair(spec, trace))
        names.append(Figure::tr("only %1").arg(translated(pairRow(spec).title)));
    if (hidesSpecials(spec, trace))
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

// What is shown, without its numbers.
struct ShownPlaces
{
    ShownMatrix shown;
    MatrixAxes axes; // where nothing is missing
};

ShownPlaces shownPlaces(const FigureSpec& spec, const Trace& trace)
{
    ShownPlaces places;
    ShownMatrix& shown = places.shown;
    const int heads = trace.heads(spec.site);
    if (heads == 0)
        shown.missing = missingAttention(spec, trace);
    else if (const int head = spec.head.head().value_or(0); head < 0 || head >= heads)
        shown.missing = Missing::Head;
    else if (!trace.has(spec.leaf))
        shown.missing = Missing::Step;
    else if (spec.head.reading().lack(inputOf(spec, trace)) != nullptr)
        shown.missing = Missing::Reading;
    if (shown.missing != Missing::Nothing)
        return places;
    const MatrixShape shape = chosenShape(spec, trace);
    if (shape.rows == 0 || shape.columns == 0) {
        shown.missing = missingAttention(spec, trace);
        return places;
    }
    MatrixAxes& axes = places.axes;
    axes = matrixAxes(spec, trace, shape.rows, shape.columns);
    if (axes.rows.empty() || axes.columns.empty()) {
        shown.missing = Missing::Tokens;
        return places;
    }
    shown.filtered = axes.filtered();
    shown.rowGroups = axes.rowGroups;
    shown.columnGroups = axes.columnGroups;
    shown.rowLabels = readable(shown.rowGroups);
    shown.columnLabels = readable(shown.columnGroups);
    return places;
}

} // namespace

bool filtersPair(const FigureSpec& spec, const Trace& trace)
{
    return spec.pair != PairFilter::All && spec.site.stage == Stage::Encoder && isPair(trace.source());
}

std::span<const PairRow> pairRows()
{
    return pairs;
}

QString attentionName(Stage stage, ModelKind kind)
{
    if (kind == ModelKind::EncoderOnly)
        return Figure::tr("self-attention");
    if (kind == ModelKind::DecoderOnly)
        return Figure::tr("causal self-attention");
    return stage == Stage::Encoder ? Figure::tr("encoder self-attention")
        : stage == Stage::Decoder  ? Figure::tr("decoder self-attention")
                                   : Figure::tr("encoder-decoder attention");
}

Missing missingAttention(const FigureSpec& spec, const Trace& trace)
{
    const bool begins = !trace.summary() && trace.stepCount() == 0 && !spec.archive;
    if (begins)
        return spec.stopped ? Missing::Stopped : Missing::NotYet;
    return trace.sites().empty() ? Missing::AnyAttention : Missing::Site;
}

QString missingText(Missing missing, const FigureSpec& spec, const Trace& trace)
{
    switch (missing) {
    case Missing::Nothing:
        break;
    case Missing::NotYet:
        return Figure::tr("No attention yet: type a text and press Enter, and it appears here");
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
        return Figure::tr("No %1: %2")
            .arg(headName(spec.head), translated(spec.head.reading().lack(inputOf(spec, trace))));
    case Missing::Step:
        return Figure::tr("This run has no step %1").arg(numberOf(spec.leaf.value_or(StepId{})));
    case Missing::Tokens:
        return Figure::tr("Every token of this attention is hidden");
    case Missing::Search:
        return Figure::tr("This model reads a text and writes none, so there is nothing to search for");
    case Missing::Output:
        return trace.kind() == ModelKind::DecoderOnly && trace.summary()
            ? Figure::tr("One token has no history: continue the text")
            : Figure::tr("Nothing has been decoded yet");
    }
    return {};
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

std::size_t mapSize(const FigureSpec& spec, const Trace& trace)
{
    if (!trace.has(spec.leaf))
        return 0;
    const auto [rows, columns] = stageShape(spec, trace);
    return spec.head.reading().cost(inputOf(spec, trace), {static_cast<Index>(rows), static_cast<Index>(columns)});
}

std::size_t tokensCost(const FigureSpec& spec, const Trace& trace)
{
    constexpr std::size_t perToken = 100;
    const auto [rows, columns] = stageShape(spec, trace);
    return perToken * (rows + columns);
}

ShownMatrix shownAxes(const FigureSpec& spec, const Trace& trace)
{
    return shownPlaces(spec, trace).shown;
}

ShownMatrix shownMatrix(const FigureSpec& spec, const Trace& trace)
{
    auto [shown, axes] = shownPlaces(spec, trace);
    if (shown.missing == Missing::Nothing)
        shown.matrix = shownValues(axesOfNeeded(axes),
                                   spec.head.reading().compute(inputOf(spec, trace), neededRows(axes)), spec.head);
    return shown;
}

MatrixAxes matrixAxes(const FigureSpec& spec, const Trace& trace, int rows, int columns)
{
    MatrixAxes axes;
    const Encoding rowTokens = trace.rowTokens(spec.site, spec.leaf);
    const Encoding columnTokens = trace.columnTokens(spec.site, spec.leaf);
    axes.merges = spec.words;
    axes.allRows = axis(rowTokens, trace.rowAxis(spec.site), spec.words, rows);
    axes.allColumns = axis(columnTokens, trace.columnAxis(spec.site), spec.words, columns);
    const bool hides = spec.specials != SpecialTokens::Shown;
    const auto kept = [&](const std::vector<AxisGroup>& groups, const Encoding& tokens, std::optional<int> text) {
        std::vector<int> indices;
        for (int i = 0; i < indexSize(groups); ++i) {
            const int token = groups[i].first;
            if (!(hides && isSpecial(tokens, token)) && (!text || segmentOf(trace.source(), token) == *text))
                indices.push_back(i);
        }
        return indices;
    };
    const bool ofPair = filtersPair(spec, trace);
    axes.rows = kept(axes.allRows, rowTokens, ofPair ? std::optional(pairRow(spec).query) : std::nullopt);
    axes.columns = kept(axes.allColumns, columnTokens, ofPair ? std::optional(pairRow(spec).key) : std::nullopt);
    if (spec.specials == SpecialTokens::HiddenRenormalized)
        axes.summed = kept(axes.allColumns, columnTokens, std::nullopt);
    if (axes.summed.size() == axes.allColumns.size())
        axes.summed.clear();
    axes.rows = within(axes.rows, spec.rows);
    axes.columns = within(axes.columns, spec.columns);
    axes.rowGroups = chosen(axes.allRows, axes.rows);
    axes.columnGroups = chosen(axes.allColumns, axes.columns);
    return axes;
}

Numbers shownValues(const MatrixAxes& axes, Numbers matrix, const HeadReading& head)
{
    if (axes.merges)
        matrix = merge(matrix, axes.allRows, axes.allColumns);
    if (!axes.summed.empty() && head.reading().values == ReadingValues::Distribution)
        scaleRowsToOne(matrix, axes.summed);
    if (!axes.filtered())
        return matrix;
    Numbers left{indexSize(axes.rows), indexSize(axes.columns), {}};
    left.values.reserve(axes.rows.size() * axes.columns.size());
    for (const int row : axes.rows)
        for (const int column : axes.columns)
            left.values.push_back(matrix.at(row, column));
    return left;
}

std::optional<int> groupOf(const std::vector<AxisGroup>& groups, int token)
{
    const auto found = std::ranges::find_if(
        groups, [token](const AxisGroup& group) { return token >= group.first && token < group.first + group.count; });
    return found == groups.end() ? std::nullopt : std::optional(static_cast<int>(found - groups.begin()));
}

std::vector<int> firstTokens(const std::vector<AxisGroup>& groups)
{
    std::vector<int> tokens;
    tokens.reserve(groups.size());
    for (const AxisGroup& group : groups)
        tokens.push_back(group.first);
    return tokens;
}

bool hasStepRows(const FigureSpec& spec, const Trace& trace)
{
    const bool encoderRows = spec.site.stage == Stage::Encoder;
    return trace.rowAxis(spec.site) == AttentionAxis::Tokens && encoderRows == (trace.kind() == ModelKind::EncoderOnly);
}

std::optional<int> stepRow(const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown)
{
    const std::optional<int> step = hasStepRows(spec, trace) ? markedStep(spec, trace) : std::nullopt;
    return step ? groupOf(shown.rowGroups, *step) : std::nullopt;
}

int firstGenerated(const Trace& trace)
{
    return trace.kind() == ModelKind::DecoderOnly ? indexSize(trace.source()) : noToken;
}

bool isFuture(const AxisGroup& query, const AxisGroup& key)
{
    return key.first >= query.first + query.count;
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
    name = name.arg(*head.head());
    return !heads ? name : heads == 1 ? QString() : name.arg(*heads);
}

QString headsName(const Reading& reading, const std::vector<HeadPlace>& picked, Site site)
{
    constexpr int most = 6; // that are named
    if (indexSize(picked) > most)
        return translated(reading.ofPicked).arg(picked.size());
    QStringList names;
    const bool layers = std::ranges::any_of(picked, [&](const HeadPlace& place) { return place.layer != site.layer; });
    for (const HeadPlace& place : picked)
        names << (layers ? Figure::tr("L%1 H%2").arg(place.layer).arg(place.head) : QString::number(place.head));
    return translated(reading.ofNamed).arg(names.join(QStringLiteral(", ")));
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
    return name == std::end(names) ? QString::fromStdString(text)
                                   : translated(*name) + QString::fromStdString(text.substr(end));
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
    if (std::ranges::count(trace.sites(), spec.site.stage, &Site::stage) > 1 && !allHeads && !otherLayers)
        parts.append(Figure::tr("layer %1").arg(spec.site.layer));
    const std::vector<int> apart = spec.kind->drawsHeadsApart ? drawnHeads(spec, trace) : std::vector<int>();
    if (const int heads = trace.heads(spec.site); apart.size() > 1) {
        QStringList numbers;
        for (const int head : apart)
            numbers.append(QString::number(head));
        parts.append(Figure::tr("heads %1 of %2").arg(numbers.join(QStringLiteral(", ")), QString::number(heads)));
    } else if (heads > 0 && !allHeads) {
        const HeadReading head = apart.empty() ? spec.head : HeadReading(apart.front());
        const QString name = picked.empty() || !apart.empty() ? headName(head, heads)
                                                              : headsName(spec.head.reading(), picked, spec.site);
        if (!name.isEmpty() && (heads > 1 || spec.head.reading().of == ReadingOf::Layers))
            parts.append(name);
    }
    if (!provenance.decoding.empty() && spec.site.stage != Stage::Encoder && hasDecoded(spec, trace))
        parts.append(decodingText(trace));
    if (const int edits = indexSize(provenance.edits); edits > 0)
        parts.append(edits == 1 ? Figure::tr("edited: %1").arg(shortEdit(provenance.edits.front()))
                                : Figure::tr("%1 edits").arg(edits));
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
