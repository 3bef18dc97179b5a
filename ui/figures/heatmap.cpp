// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/heatmap.h"

#include "analysis/words.h"
#include "figures/token_label.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

QStringList labelsOf(const std::vector<AxisGroup>& axis)
{
    QStringList labels;
    for (const AxisGroup& group : axis)
        labels << readableToken(group.label);
    return labels;
}

// Index of the group that covers a token; -1 when none does.
int groupOf(const std::vector<AxisGroup>& axis, int token)
{
    const auto found = std::ranges::find_if(
        axis, [token](const AxisGroup& group) { return token >= group.first && token < group.first + group.count; });
    return found == axis.end() ? -1 : static_cast<int>(found - axis.begin());
}

QString strongestSentence(const MatrixContent& content)
{
    const auto& values = content.matrix.values;
    const auto largest = std::ranges::max_element(values);
    if (largest == values.end())
        return {};
    const auto index = static_cast<int>(largest - values.begin());
    return QStringLiteral(" The largest weight, %1, is of %2 on %3.")
        .arg(static_cast<double>(*largest), 0, 'f', 2)
        .arg(content.rowLabels.value(index / content.matrix.columns),
             content.columnLabels.value(index % content.matrix.columns));
}

} // namespace

QString siteTitle(Site site, HeadChoice head, int heads)
{
    const QString stage = site.stage == Stage::Encoder ? QStringLiteral("Encoder self-attention")
        : site.stage == Stage::Decoder                 ? QStringLiteral("Decoder self-attention")
                                                       : QStringLiteral("Encoder-decoder attention");
    if (heads <= 1 && site.layer == 0)
        return stage;
    const QString place = QStringLiteral("%1, layer %2, ").arg(stage).arg(site.layer);
    if (const int* one = std::get_if<int>(&head))
        return place + QStringLiteral("head %1").arg(*one);
    const bool mean = std::get<HeadSummary>(head) == HeadSummary::Mean;
    return place + (mean ? QStringLiteral("mean of %1 heads") : QStringLiteral("maximum of %1 heads")).arg(heads);
}

QString runSubtitle(const Trace& trace)
{
    const Provenance& run = trace.provenance();
    QStringList parts;
    for (const std::string& part : {run.model, run.decoding}) {
        if (!part.empty())
            parts << QString::fromStdString(part);
    }
    return parts.join(QStringLiteral(", "));
}

QString missingText(const FigureSpec& spec, const Trace& trace)
{
    if (trace.source().ids.empty())
        return QStringLiteral("Nothing has been run yet.");
    if (trace.summary() && trace.sites().empty())
        return QStringLiteral("This model has no attention: one fixed context vector carries the whole sentence.");
    if (trace.summary())
        return QStringLiteral("This run has no ") + siteTitle(spec.site, spec.head, 2).toLower() + QLatin1Char('.');
    return QStringLiteral("No attention yet.");
}

MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    const int heads = trace.heads(spec.site);
    const int* head = std::get_if<int>(&spec.head);
    content.title = spec.title.isEmpty() ? siteTitle(spec.site, spec.head, heads) : spec.title;
    content.subtitle = runSubtitle(trace);
    if (heads == 0 || (head != nullptr && *head >= heads)) {
        content.empty = missingText(spec, trace);
        content.description = content.empty;
        return content;
    }
    AttentionMatrix matrix = trace.matrix(spec.site, spec.head, spec.leaf);
    const Encoding rowTokens = trace.rowTokens(spec.site, spec.leaf);
    const Encoding columnTokens = trace.columnTokens(spec.site, spec.leaf);
    const auto rowAxis = spec.words ? wordAxis(rowTokens) : tokenAxis(rowTokens);
    const auto columnAxis = spec.words ? wordAxis(columnTokens) : tokenAxis(columnTokens);
    content.matrix = spec.words ? merge(matrix, rowAxis, columnAxis) : std::move(matrix);
    content.rowLabels = labelsOf(rowAxis);
    content.columnLabels = labelsOf(columnAxis);
    content.rowAxis = spec.site.stage == Stage::Encoder ? QStringLiteral("query") : QStringLiteral("output");
    content.columnAxis = spec.site.stage == Stage::Decoder ? QStringLiteral("output so far (decoder input)")
        : spec.site.stage == Stage::Encoder                ? QStringLiteral("key")
                                                           : QStringLiteral("input");
    content.valueName = QStringLiteral("attention weight");
    const auto finite = std::ranges::all_of(content.matrix.values, [](float value) { return std::isfinite(value); });
    const float largest = finite && !content.matrix.values.empty() ? std::ranges::max(content.matrix.values) : 1.0F;
    content.most = std::max(1.0, static_cast<double>(largest));
    if (spec.site.stage == Stage::Decoder)
        content.blank = [rowAxis, columnAxis](int row, int column) {
            const AxisGroup& last = rowAxis[static_cast<std::size_t>(row)];
            return columnAxis[static_cast<std::size_t>(column)].first >= last.first + last.count;
        };
    if (spec.currentStep >= 0 && spec.site.stage != Stage::Encoder)
        content.markedRow = groupOf(rowAxis, spec.currentStep);
    content.empty = missingText(spec, trace);
    content.description = QStringLiteral("%1: %2 rows, %3 columns.")
                              .arg(content.title)
                              .arg(content.matrix.rows)
                              .arg(content.matrix.columns)
        + strongestSentence(content);
    return content;
}

MatrixContent positionsContent(const FigureSpec& spec)
{
    MatrixContent content;
    content.title = spec.title.isEmpty() ? QStringLiteral("Positional encoding") : spec.title;
    if (spec.positions.empty()) {
        content.empty = QStringLiteral("This model has no positional encoding.");
        content.description = content.empty;
        return content;
    }
    const auto rows = static_cast<int>(spec.positions.dim(0));
    const auto columns = static_cast<int>(spec.positions.dim(1));
    const auto values = spec.positions.values();
    content.matrix = {rows, columns, {values.begin(), values.end()}};
    content.subtitle = QStringLiteral("%1 positions, %2 dimensions").arg(rows).arg(columns);
    for (int i = 0; i < rows; ++i)
        content.rowLabels << QString::number(i);
    for (int i = 0; i < columns; ++i)
        content.columnLabels << QString::number(i);
    content.rowAxis = QStringLiteral("position");
    content.columnAxis = QStringLiteral("dimension");
    content.valueName = QStringLiteral("value");
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    content.most = largest > 0 ? static_cast<double>(largest) : 1;
    content.least = -content.most;
    content.description = content.title + QStringLiteral(": ") + content.subtitle + QLatin1Char('.');
    return content;
}

} // namespace attn::ui
