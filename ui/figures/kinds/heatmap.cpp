// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/heatmap.h"

#include "figures/figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace attn::ui {

namespace {

std::pair<QString, QString> axisNames(Stage stage, ModelKind kind)
{
    if (kind != ModelKind::EncoderDecoder)
        return {QStringLiteral("query"), QStringLiteral("key")};
    switch (stage) {
    case Stage::Encoder:
        return {QStringLiteral("source (query)"), QStringLiteral("source (key)")};
    case Stage::Decoder:
        return {QStringLiteral("target (output)"), QStringLiteral("decoder input")};
    case Stage::Cross:
        break;
    }
    return {QStringLiteral("target (output)"), QStringLiteral("source (input)")};
}

// Of an axis whose entries are no tokens; else what it is called otherwise.
QString axisName(AttentionAxis axis, const QString& otherwise)
{
    switch (axis) {
    case AttentionAxis::Text:
        return QStringLiteral("text");
    case AttentionAxis::Hops:
        return QStringLiteral("hop");
    case AttentionAxis::Sentences:
        return QStringLiteral("sentence");
    case AttentionAxis::Tokens:
        break;
    }
    return otherwise;
}

std::vector<int> firstTokens(const std::vector<AxisGroup>& groups)
{
    std::vector<int> tokens;
    tokens.reserve(groups.size());
    for (const AxisGroup& group : groups)
        tokens.push_back(group.first);
    return tokens;
}

QString describe(const MatrixContent& content)
{
    const auto& values = content.matrix.values;
    const auto largest = std::ranges::max_element(values);
    const auto index = static_cast<int>(largest - values.begin());
    // Joined rather than filled in: tokens may contain "%1".
    return QStringList{content.title.title,
                       QStringLiteral(" (%1 rows, %2 columns): the largest weight, %3, is of ")
                           .arg(content.matrix.rows)
                           .arg(content.matrix.columns)
                           .arg(decimal(static_cast<double>(*largest), 2)),
                       content.rowLabels.value(index / content.matrix.columns),
                       QStringLiteral(" on "),
                       content.columnLabels.value(index % content.matrix.columns),
                       QStringLiteral(".")}
        .join(QString());
}

} // namespace

MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    content.title = figureTitle(spec, trace);
    const auto shown = std::make_shared<const ShownMatrix>(shownMatrix(spec, trace));
    content.empty = shown->missing;
    content.description = shown->missing;
    if (shown->matrix.rows == 0)
        return content;
    content.matrix = shown->matrix;
    const AttentionAxis rows = trace.rowAxis(spec.site);
    const AttentionAxis columns = trace.columnAxis(spec.site);
    if (rows == AttentionAxis::Tokens)
        content.rowTokens = firstTokens(shown->rowGroups);
    if (columns == AttentionAxis::Tokens)
        content.columnTokens = firstTokens(shown->columnGroups);
    content.firstGenerated = firstGenerated(trace);
    content.rowLabels = shown->rowLabels;
    content.columnLabels = shown->columnLabels;
    std::tie(content.rowAxis, content.columnAxis) = axisNames(spec.site.stage, trace.kind());
    content.rowAxis = axisName(rows, content.rowAxis);
    content.columnAxis = axisName(columns, content.columnAxis);
    content.valueName = QStringLiteral("attention weight");
    content.zeroRowText =
        shown->filtered ? QStringLiteral("attends to none of these") : QStringLiteral("attends to nothing");
    content.most = weightScaleEnd(content.matrix.values);
    if (spec.site.stage == Stage::Decoder) {
        content.blank = [shown](int row, int column) {
            return isFuture(*shown, row, column) && !(shown->matrix.at(row, column) > 0);
        };
    }
    const bool encoderRows = spec.site.stage == Stage::Encoder;
    if (spec.currentStep >= 0 && rows == AttentionAxis::Tokens
        && encoderRows == (trace.kind() == ModelKind::EncoderOnly))
        content.markedRow = groupOf(shown->rowGroups, spec.currentStep);
    content.description = describe(content);
    return content;
}

const FigureKind heatmapKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<MatrixFigure>(spec, heatmapContent(spec, trace), size);
    },
    .numbers = heatmapContent,
    .zooms = true};

} // namespace attn::ui
