// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_edits.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/parts/matrix_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

namespace attn::ui {

namespace {

std::pair<QString, QString> axisNames(Stage stage, ModelKind kind)
{
    if (kind == ModelKind::DecoderOnly)
        return {Figure::tr("query (predicts what follows)"), Figure::tr("key")};
    if (kind == ModelKind::EncoderOnly)
        return {Figure::tr("query"), Figure::tr("key")};
    switch (stage) {
    case Stage::Encoder:
        return {Figure::tr("source (query)"), Figure::tr("source (key)")};
    case Stage::Decoder:
        return {Figure::tr("target (the step that writes it)"), Figure::tr("decoder input")};
    case Stage::Cross:
        break;
    }
    return {Figure::tr("target (the step that writes it)"), Figure::tr("source (input)")};
}

// Of a decoder's rows, what they are besides their labels.
QString rowNote(const FigureSpec& spec, const Trace& trace)
{
    if (trace.kind() == ModelKind::EncoderOnly || !hasStepRows(spec, trace))
        return {};
    return trace.kind() == ModelKind::DecoderOnly ? Figure::tr("the step that reads it and predicts what follows")
                                                  : Figure::tr("the step that writes it");
}

// Of an axis whose entries are no tokens; else what it is called otherwise.
QString axisName(AttentionAxis axis, const QString& otherwise)
{
    return axis == AttentionAxis::Text     ? Figure::tr("text")
        : axis == AttentionAxis::Hops      ? Figure::tr("hop")
        : axis == AttentionAxis::Sentences ? Figure::tr("sentence")
                                           : otherwise;
}

// Groups that the steps up to this one have.
int writtenOf(const std::vector<AxisGroup>& groups, int step)
{
    return static_cast<int>(
        std::ranges::count_if(groups, [step](const AxisGroup& group) { return group.first <= step; }));
}

// With the last step all is written, also the row of the token that it gave.
void leaveToBeWritten(MatrixContent& content, const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown)
{
    const bool ends = !spec.currentStep || *spec.currentStep + 1 >= stepCount(trace, spec.leaf);
    if (!spec.untilStep || ends || trace.kind() == ModelKind::EncoderOnly || !hasStepRows(spec, trace))
        return;
    content.writtenRows = writtenOf(shown.rowGroups, *spec.currentStep);
    if (spec.site.stage == Stage::Decoder)
        content.writtenColumns = writtenOf(shown.columnGroups, *spec.currentStep);
}

QString describe(const MatrixContent& content)
{
    const auto& values = content.matrix.values;
    const auto largest = std::ranges::max_element(
        values, {}, [](float value) { return std::isfinite(value) ? value : -std::numeric_limits<float>::infinity(); });
    if (!std::isfinite(*largest))
        return Figure::tr("%1 (%2 rows, %3 columns): no weight is a number.")
            .arg(content.title.title, QString::number(content.matrix.rows), QString::number(content.matrix.columns));
    const auto index = static_cast<int>(largest - values.begin());
    const auto edited = std::count_if(content.edits.begin(), content.edits.end(),
                                      [](CellMark mark) { return mark != CellMark::Unedited; });
    const QString marks = edited == 0 ? QString() : Figure::tr(" %1 cells are edited.").arg(edited);
    return Figure::tr("%1 (%2 rows, %3 columns): the largest weight, %4, is of %5 on %6.")
               .arg(content.title.title, QString::number(content.matrix.rows), QString::number(content.matrix.columns),
                    decimal(*largest, 2), content.rowLabels.value(index / content.matrix.columns),
                    content.columnLabels.value(index % content.matrix.columns))
        + marks;
}

} // namespace

std::pair<QString, QString> axisTitles(const FigureSpec& spec, const Trace& trace)
{
    const auto [rows, columns] = axisNames(spec.site.stage, trace.kind());
    return {axisName(trace.rowAxis(spec.site), rows), axisName(trace.columnAxis(spec.site), columns)};
}

MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace)
{
    if (spec.against)
        return differenceContent(spec, trace);
    MatrixContent content;
    content.title = figureTitle(spec, trace);
    const auto shown = std::make_shared<ShownMatrix>(shownMatrix(spec, trace));
    content.empty = missingText(shown->missing, spec, trace);
    content.description = content.empty;
    if (shown->matrix.rows == 0)
        return content;
    const AttentionAxis rows = trace.rowAxis(spec.site);
    const AttentionAxis columns = trace.columnAxis(spec.site);
    if (rows == AttentionAxis::Tokens)
        content.rowTokens = firstTokens(shown->rowGroups);
    if (columns == AttentionAxis::Tokens)
        content.columnTokens = firstTokens(shown->columnGroups);
    content.firstGenerated = firstGenerated(trace);
    content.rowLabels = shown->rowLabels;
    content.columnLabels = shown->columnLabels;
    std::tie(content.rowAxis, content.columnAxis) = axisTitles(spec, trace);
    content.rowNote = rowNote(spec, trace);
    const bool named = trace.kind() != ModelKind::EncoderDecoder || spec.site.stage == Stage::Encoder;
    if (named && rows == AttentionAxis::Tokens)
        content.rowRole = AttentionRole::Query;
    if (named && columns == AttentionAxis::Tokens)
        content.columnRole = AttentionRole::Key;
    content.valueName = Figure::tr("attention weight");
    content.zeroRowText = shown->filtered ? Figure::tr("attends to none of these") : Figure::tr("attends to nothing");
    content.edits = shownEdits(spec, trace, *shown);
    if (spec.site.stage == Stage::Decoder) {
        content.matrix = shown->matrix;
        content.blank = [shown = std::shared_ptr<const ShownMatrix>(shown)](int row, int column) {
            return isFuture(shown->rowGroups[row], shown->columnGroups[column]) && !(shown->matrix.at(row, column) > 0);
        };
    } else {
        content.matrix = std::move(shown->matrix);
    }
    content.hasMargins = true;
    setRange(content, spec, trace, *shown);
    content.markedRow = stepRow(spec, trace, *shown);
    leaveToBeWritten(content, spec, trace, *shown);
    content.description = describe(content);
    return content;
}

const FigureKind heatmapKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<MatrixFigure>(spec, heatmapContent(spec, trace), size);
    },
    .numbers = heatmapContent,
    .zooms = true,
    .cost =
        [](const FigureSpec& spec, const Trace& trace) {
            constexpr std::size_t pairing = 4; // times as much as one run
            return mapSize(spec, trace) * (spec.against ? pairing : 1) + tokensCost(spec, trace);
        }};

} // namespace attn::ui
