// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/exportable.h"

#include "base/error.h"
#include "figures/export/csv_field.h"
#include "figures/parts/matrix_figure.h"
#include "trace/archive.h"

namespace attn::ui {

QByteArray matrixCsv(const MatrixContent& content)
{
    if (content.matrix.rows == 0)
        throw Error(ErrorKind::Input, Figure::tr("data").toStdString(),
                    Figure::tr("there is nothing to write").toStdString(),
                    Figure::tr("run a sentence first").toStdString());
    QString text;
    for (const QString& label : content.columnLabels)
        text += QLatin1Char(',') + csvField(label);
    text += QStringLiteral("\r\n");
    for (int row = 0; row < content.matrix.rows; ++row) {
        text += csvField(content.rowLabels.value(row));
        for (int column = 0; column < content.matrix.columns; ++column)
            text += QLatin1Char(',')
                + (content.isLone(row, column) ? QString() : csvNumber(content.matrix.at(row, column)));
        text += QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

Exportable exportable(const FigureSpec& spec, const Trace& trace)
{
    return {
        spec.title, spec.theme, [spec, trace](QSizeF size) { return layoutFigure(spec, trace, size); },
        [spec, trace] {
            return spec.kind->csv != nullptr ? spec.kind->csv(spec, trace) : matrixCsv(spec.kind->numbers(spec, trace));
        },
        [leaf = spec.leaf, trace](const QString& path) { writeArchive(path.toStdString(), trace, {.leaf = leaf}); }};
}

} // namespace attn::ui
