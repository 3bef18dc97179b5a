// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/exportable.h"

#include "base/error.h"
#include "base/progress.h"
#include "figures/look/csv_field.h"
#include "figures/parts/matrix_figure.h"
#include "trace/archive.h"

#include <cmath>

namespace attn::ui {

QString MatrixContent::tableText(int row, int column) const
{
    const bool isNothing = map.isLone(row, column) || (map.isBlank(row, column) && !blankText.isEmpty());
    return isNothing ? QString() : csvNumber(static_cast<double>(map.at(row, column)));
}

QByteArray matrixCsv(const MatrixContent& content)
{
    if (content.rows() == 0)
        throw Error(ErrorKind::Input, Figure::tr("data").toStdString(),
                    Figure::tr("there is nothing to write").toStdString(),
                    Figure::tr("run a sentence first").toStdString());
    QString text;
    for (const QString& label : content.columnLabels)
        text += QLatin1Char(',') + csvField(label);
    text += QStringLiteral("\r\n");
    for (int row = 0; row < content.rows(); ++row) {
        ThreadStop::check();
        text += csvField(content.rowLabels.value(row));
        for (int column = 0; column < content.columns(); ++column)
            text += QLatin1Char(',') + content.tableText(row, column);
        text += QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

namespace {

// The visible part becomes rows and columns.
FigureSpec wholeCells(FigureSpec spec)
{
    if (spec.visible.isNull())
        return spec;
    constexpr double nothing = 1e-9;
    const auto span = [](double first, double end) {
        return ShownSpan{static_cast<int>(std::floor(first)), static_cast<int>(std::ceil(end - nothing)) - 1};
    };
    spec.rows = span(spec.visible.top(), spec.visible.bottom());
    spec.columns = span(spec.visible.left(), spec.visible.right());
    spec.visible = {};
    return spec;
}

} // namespace

Exportable exportable(const FigureSpec& seen, const Trace& trace)
{
    FigureSpec spec = wholeCells(seen);
    spec.editedFrom.reset(); // a file is made again of its run alone
    return {spec.title,
            spec.theme,
            [spec, trace](QSizeF size) { return layoutFigure(spec, trace, size); },
            [spec, trace] {
                return spec.kind->csv != nullptr ? spec.kind->csv(spec, trace)
                                                 : matrixCsv(spec.kind->numbers(spec, trace));
            },
            [leaf = spec.leaf, trace](const QString& path, const QString& command, const std::stop_token& stop) {
                writeArchive(path.toStdString(), trace, {.leaf = leaf, .command = command.toStdString(), .stop = stop});
            },
            std::make_shared<const FigureSource>(FigureSource{spec, trace})};
}

Exportable withChoices(const Exportable& figure, const FigureChoices& choices)
{
    if (!figure.source)
        return figure;
    FigureSpec spec = figure.source->spec;
    static_cast<FigureChoices&>(spec) = choices;
    Exportable chosen = exportable(spec, figure.source->trace);
    chosen.provenance = figure.provenance;
    return chosen;
}

} // namespace attn::ui
