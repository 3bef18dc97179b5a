// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"

#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/token_label.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

namespace attn::ui {

namespace {

constexpr int noToken = std::numeric_limits<int>::max();

QString stageName(Stage stage, ModelKind kind)
{
    if (kind == ModelKind::EncoderOnly)
        return QStringLiteral("self-attention");
    if (kind == ModelKind::DecoderOnly)
        return QStringLiteral("causal self-attention");
    switch (stage) {
    case Stage::Encoder:
        return QStringLiteral("encoder self-attention");
    case Stage::Decoder:
        return QStringLiteral("decoder self-attention");
    case Stage::Cross:
        break;
    }
    return QStringLiteral("encoder-decoder attention");
}

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

// A partial matrix has fewer rows than its axis; tokens without names are numbered.
std::vector<AxisGroup> axis(const Encoding& encoding, bool words, int size)
{
    std::vector<AxisGroup> groups = words ? wordAxis(encoding) : tokenAxis(encoding);
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

int layerCount(Stage stage, const Trace& trace)
{
    return static_cast<int>(std::ranges::count(trace.sites(), stage, &Site::stage));
}

// Masks and unknown words are special to the vocabulary, but stand for words of the text.
bool isSpecial(const Encoding& encoding, int token)
{
    const auto index = static_cast<std::size_t>(token);
    if (index >= encoding.special.size() || !encoding.special[index])
        return false;
    const std::string piece = index < encoding.tokens.size() ? encoding.tokens[index] : std::string();
    return !isMaskPiece(piece) && piece != "[UNK]" && piece != "<unk>";
}

int segmentOf(const Encoding& encoding, int token)
{
    const auto index = static_cast<std::size_t>(token);
    return index < encoding.segments.size() ? encoding.segments[index] : 0;
}

bool isPair(const Encoding& encoding)
{
    return std::ranges::any_of(encoding.segments, [](int segment) { return segment > 0; });
}

bool filtersPair(const FigureSpec& spec, const Trace& trace)
{
    return spec.pair != PairFilter::All && spec.site.stage == Stage::Encoder && isPair(trace.source());
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

// The maximum over heads is none that could be scaled to one.
bool isDistribution(HeadChoice head)
{
    const auto* summary = std::get_if<HeadSummary>(&head);
    return summary == nullptr || *summary != HeadSummary::Max;
}

using Keep = std::function<bool(int token)>;

// The groups that an earlier choice and `keep` leave, by their place among all groups.
std::vector<int> keptGroups(const std::vector<AxisGroup>& groups, const std::vector<int>& among, const Keep& keep)
{
    std::vector<int> kept;
    std::ranges::copy_if(among, std::back_inserter(kept), [&](int index) { return keep(groups[index].first); });
    return kept;
}

std::vector<int> numbersTo(std::size_t count)
{
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

// Two texts of a pair: 0 and 1.
int queryText(PairFilter filter)
{
    return filter == PairFilter::AToA || filter == PairFilter::AToB ? 0 : 1;
}

int keyText(PairFilter filter)
{
    return filter == PairFilter::AToA || filter == PairFilter::BToA ? 0 : 1;
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

QString pairName(PairFilter filter)
{
    switch (filter) {
    case PairFilter::AToA:
        return QStringLiteral("A \u2192 A");
    case PairFilter::AToB:
        return QStringLiteral("A \u2192 B");
    case PairFilter::BToA:
        return QStringLiteral("B \u2192 A");
    case PairFilter::BToB:
        return QStringLiteral("B \u2192 B");
    case PairFilter::All:
        break;
    }
    return {};
}

int generatedCount(const FigureSpec& spec, const Trace& trace)
{
    if (trace.kind() != ModelKind::DecoderOnly || spec.leaf >= trace.stepCount())
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
        names.append(QStringLiteral("only ") + pairName(spec.pair));
    if (hidesSpecials(spec, trace))
        names.append(spec.specials == SpecialTokens::HiddenRenormalized
                             && (isDistribution(spec.head) || spec.kind->drawsAllHeads)
                         ? QStringLiteral("special tokens hidden, rows renormalised")
                         : QStringLiteral("special tokens hidden"));
    return names;
}

} // namespace

QString missingAttention(const FigureSpec& spec, const Trace& trace)
{
    const bool goesOn = !trace.summary() && trace.stepCount() == 0 && !spec.archive;
    if (goesOn && spec.stopped)
        return QStringLiteral("The run was stopped before there was any %1")
            .arg(stageName(spec.site.stage, trace.kind()));
    if (goesOn)
        return QStringLiteral("No attention yet");
    if (!trace.sites().empty())
        return QStringLiteral("This run has no %1").arg(siteName(spec.site, trace.kind()));
    return QStringLiteral("This model has no attention: one fixed context vector carries the whole sentence");
}

ShownMatrix shownMatrix(const FigureSpec& spec, const Trace& trace)
{
    ShownMatrix shown;
    const int heads = trace.heads(spec.site);
    const int* head = std::get_if<int>(&spec.head);
    if (heads == 0) {
        shown.missing = missingAttention(spec, trace);
        return shown;
    }
    if (head != nullptr && (*head < 0 || *head >= heads)) {
        shown.missing = QStringLiteral("This attention has heads 0 to %1, no head %2").arg(heads - 1).arg(*head);
        return shown;
    }
    if (spec.leaf >= trace.stepCount()) {
        shown.missing = QStringLiteral("This run has no step %1").arg(*spec.leaf);
        return shown;
    }
    shown.matrix = trace.matrix(spec.site, spec.head, spec.leaf);
    if (shown.matrix.rows == 0 || shown.matrix.columns == 0) {
        shown.missing = missingAttention(spec, trace);
        shown.matrix = {};
        return shown;
    }
    const MatrixAxes axes = matrixAxes(spec, trace, shown.matrix.rows, shown.matrix.columns);
    shown.matrix = shownValues(axes, std::move(shown.matrix), spec.head);
    if (shown.matrix.values.empty()) {
        shown.matrix = {};
        shown.missing = QStringLiteral("Every token of this attention is hidden");
        return shown;
    }
    shown.filtered = axes.rows.size() != axes.allRows.size() || axes.columns.size() != axes.allColumns.size();
    shown.rowGroups = chosen(axes.allRows, axes.rows);
    shown.columnGroups = chosen(axes.allColumns, axes.columns);
    shown.rowLabels = readable(shown.rowGroups);
    shown.columnLabels = readable(shown.columnGroups);
    return shown;
}

MatrixAxes matrixAxes(const FigureSpec& spec, const Trace& trace, int rows, int columns)
{
    MatrixAxes axes;
    const Encoding rowTokens = trace.rowTokens(spec.site, spec.leaf);
    const Encoding columnTokens = trace.columnTokens(spec.site, spec.leaf);
    axes.merges = spec.words;
    axes.allRows = axis(rowTokens, spec.words, rows);
    axes.allColumns = axis(columnTokens, spec.words, columns);
    axes.rows = numbersTo(axes.allRows.size());
    axes.columns = numbersTo(axes.allColumns.size());
    if (spec.specials != SpecialTokens::Shown) {
        axes.rows = keptGroups(axes.allRows, axes.rows, [&](int token) { return !isSpecial(rowTokens, token); });
        axes.columns =
            keptGroups(axes.allColumns, axes.columns, [&](int token) { return !isSpecial(columnTokens, token); });
        if (spec.specials == SpecialTokens::HiddenRenormalized && axes.columns.size() != axes.allColumns.size())
            axes.summed = axes.columns;
    }
    if (filtersPair(spec, trace)) {
        const auto inText = [&trace](int which) {
            return [&trace, which](int token) { return segmentOf(trace.source(), token) == which; };
        };
        axes.rows = keptGroups(axes.allRows, axes.rows, inText(queryText(spec.pair)));
        axes.columns = keptGroups(axes.allColumns, axes.columns, inText(keyText(spec.pair)));
    }
    return axes;
}

Numbers shownValues(const MatrixAxes& axes, Numbers matrix, HeadChoice head)
{
    if (axes.merges)
        matrix = merge(matrix, axes.allRows, axes.allColumns);
    if (!axes.summed.empty() && isDistribution(head))
        scaleRowsToOne(matrix, axes.summed);
    if (axes.rows.size() == axes.allRows.size() && axes.columns.size() == axes.allColumns.size())
        return matrix;
    Numbers left{indexSize(axes.rows), indexSize(axes.columns), {}};
    left.values.reserve(axes.rows.size() * axes.columns.size());
    for (const int row : axes.rows)
        for (const int column : axes.columns)
            left.values.push_back(matrix.at(row, column));
    return left;
}

int groupOf(const std::vector<AxisGroup>& groups, int token)
{
    const auto found = std::ranges::find_if(
        groups, [token](const AxisGroup& group) { return token >= group.first && token < group.first + group.count; });
    return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
}

int firstGenerated(const Trace& trace)
{
    return trace.kind() == ModelKind::DecoderOnly ? indexSize(trace.source()) : noToken;
}

bool isMaskPiece(const std::string& piece)
{
    return piece == "[MASK]" || piece == "<mask>";
}

int shownToken(const FigureSpec& spec, const Trace& trace)
{
    const Encoding& source = trace.source();
    const auto count = indexSize(source);
    if (spec.currentStep >= 0 && spec.currentStep < count)
        return spec.currentStep;
    if (const auto mask = std::ranges::find_if(source.tokens, isMaskPiece); mask != source.tokens.end())
        return static_cast<int>(mask - source.tokens.begin());
    for (int token = 0; token < count; ++token) {
        if (!isSpecial(source, token))
            return token;
    }
    return count - 1;
}

bool isFuture(const ShownMatrix& shown, int row, int column)
{
    const AxisGroup& query = shown.rowGroups[row];
    return shown.columnGroups[column].first >= query.first + query.count;
}

QString siteName(Site site, ModelKind kind)
{
    return QStringLiteral("%1, layer %2").arg(stageName(site.stage, kind)).arg(site.layer);
}

QString headName(const HeadChoice& head, int heads)
{
    if (const int* number = std::get_if<int>(&head))
        return heads == 1 ? QString() : QStringLiteral("head %1 of %2").arg(*number).arg(heads);
    const bool mean = std::get<HeadSummary>(head) == HeadSummary::Mean;
    return (mean ? QStringLiteral("mean of %1 heads") : QStringLiteral("maximum of %1 heads")).arg(heads);
}

FigureTitle figureTitle(const FigureSpec& spec, const Trace& trace)
{
    FigureTitle result;
    result.title = spec.title.isEmpty() ? capitalized(stageName(spec.site.stage, trace.kind())) : spec.title;
    const Provenance& provenance = trace.provenance();
    QStringList parts;
    if (!provenance.model.empty())
        parts.append(readableToken(provenance.model));
    const bool allHeads = spec.kind->drawsAllHeads;
    if (layerCount(spec.site.stage, trace) > 1 && !allHeads)
        parts.append(QStringLiteral("layer %1").arg(spec.site.layer));
    if (const int heads = trace.heads(spec.site); heads > 0 && !allHeads) {
        if (const QString name = headName(spec.head, heads); !name.isEmpty() && heads > 1)
            parts.append(name);
    }
    if (!provenance.decoding.empty() && spec.site.stage != Stage::Encoder && hasDecoded(spec, trace))
        parts.append(QString::fromStdString(provenance.decoding));
    if (const int added = generatedCount(spec, trace); added > 0)
        parts.append((added == 1 ? QStringLiteral("1 generated token in italics")
                                 : QStringLiteral("%1 generated tokens in italics").arg(added)));
    parts.append(filterNames(spec, trace));
    result.subtitle = parts.join(QStringLiteral(" \u00B7 "));
    return result;
}

} // namespace attn::ui
