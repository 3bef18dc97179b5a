// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/shown_matrix.h"

#include "figures/token_label.h"

#include <algorithm>

namespace attn::ui {

namespace {

QString stageName(Stage stage)
{
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
        groups.push_back({"#" + std::to_string(covered), covered, 1});
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

} // namespace

QString missingAttention(Site site, const Trace& trace)
{
    if (!trace.sites().empty())
        return QStringLiteral("This run has no %1").arg(siteName(site));
    if (trace.stepCount() == 0 && !trace.summary())
        return QStringLiteral("No attention yet");
    return QStringLiteral("This model has no attention: one fixed context vector carries the whole sentence");
}

ShownMatrix shownMatrix(const FigureSpec& spec, const Trace& trace)
{
    ShownMatrix shown;
    const int heads = trace.heads(spec.site);
    const int* head = std::get_if<int>(&spec.head);
    if (heads == 0) {
        shown.missing = missingAttention(spec.site, trace);
        return shown;
    }
    if (head != nullptr && (*head < 0 || *head >= heads)) {
        shown.missing = QStringLiteral("This attention has heads 0 to %1, no head %2").arg(heads - 1).arg(*head);
        return shown;
    }
    if (spec.leaf >= trace.stepCount()) {
        shown.missing = QStringLiteral("This run has no step %1").arg(spec.leaf);
        return shown;
    }
    shown.matrix = trace.matrix(spec.site, spec.head, spec.leaf);
    if (shown.matrix.rows == 0 || shown.matrix.columns == 0) {
        shown.missing = QStringLiteral("No attention yet");
        shown.matrix = {};
        return shown;
    }
    shown.rowGroups = axis(trace.rowTokens(spec.site, spec.leaf), spec.words, shown.matrix.rows);
    shown.columnGroups = axis(trace.columnTokens(spec.site, spec.leaf), spec.words, shown.matrix.columns);
    if (spec.words)
        shown.matrix = merge(shown.matrix, shown.rowGroups, shown.columnGroups);
    shown.rowLabels = readable(shown.rowGroups);
    shown.columnLabels = readable(shown.columnGroups);
    return shown;
}

int groupOf(const std::vector<AxisGroup>& groups, int token)
{
    const auto found = std::ranges::find_if(
        groups, [token](const AxisGroup& group) { return token >= group.first && token < group.first + group.count; });
    return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
}

bool isFuture(const ShownMatrix& shown, int row, int column)
{
    const AxisGroup& query = shown.rowGroups[static_cast<std::size_t>(row)];
    return shown.columnGroups[static_cast<std::size_t>(column)].first >= query.first + query.count;
}

QString siteName(Site site)
{
    return QStringLiteral("%1, layer %2").arg(stageName(site.stage)).arg(site.layer);
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
    result.title = spec.title.isEmpty() ? capitalized(stageName(spec.site.stage)) : spec.title;
    const Provenance& provenance = trace.provenance();
    QStringList parts;
    if (!provenance.model.empty())
        parts.append(readableToken(provenance.model));
    const bool allHeads = spec.kind == FigureKind::HeadGrid;
    if (layerCount(spec.site.stage, trace) > 1 && !allHeads)
        parts.append(QStringLiteral("layer %1").arg(spec.site.layer));
    if (const int heads = trace.heads(spec.site); heads > 0 && !allHeads) {
        if (const QString name = headName(spec.head, heads); !name.isEmpty() && heads > 1)
            parts.append(name);
    }
    if (!provenance.decoding.empty() && spec.site.stage != Stage::Encoder)
        parts.append(QString::fromStdString(provenance.decoding));
    result.subtitle = parts.join(QStringLiteral(" \u00B7 "));
    return result;
}

} // namespace attn::ui
