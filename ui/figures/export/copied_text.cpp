// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/copied_text.h"

#include "base/error.h"
#include "base/progress.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/csv_field.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QStringList>

#include <optional>

namespace attn::ui {

namespace {

constexpr CopyRow copied[] = {{"copyValue", QT_TRANSLATE_NOOP("attn::ui", "Copy the &value"), CopyRow::What::Value},
                              {"copyRow", QT_TRANSLATE_NOOP("attn::ui", "Copy the ro&w"), CopyRow::What::Row},
                              {"copyColumn", QT_TRANSLATE_NOOP("attn::ui", "Copy the colu&mn"), CopyRow::What::Column},
                              {"copyTable", QT_TRANSLATE_NOOP("attn::ui", "Copy the ta&ble"), CopyRow::What::Table}};

constexpr QChar tab(u'\t');
constexpr QChar newLine(u'\n');

QString line(const QStringList& fields)
{
    QStringList cells;
    for (const QString& field : fields)
        cells << spreadsheetText(field).replace(tab, u' ').replace(newLine, u' ');
    return cells.join(tab) + newLine;
}

QString rowText(const MatrixContent& content, int row)
{
    QStringList fields{content.rowLabels.value(row)};
    for (int column = 0; column < content.columns(); ++column)
        fields << content.tableText(row, column);
    return line(fields);
}

QString columnText(const MatrixContent& content, int column)
{
    QString text = line({QString(), content.columnLabels.value(column)});
    for (int row = 0; row < content.rows(); ++row)
        text += line({content.rowLabels.value(row), content.tableText(row, column)});
    return text;
}

QString tableText(const MatrixContent& content, const std::stop_token& stop)
{
    QString text = content.rows() == 0 ? QString() : line(QStringList{QString()} + content.columnLabels);
    for (int row = 0; row < content.rows(); ++row) {
        throwIfStopped(stop);
        text += rowText(content, row);
    }
    return text;
}

// Comma-separated values with tabs instead.
QString withTabs(const QString& csv)
{
    QString text;
    bool quoted = false;
    for (qsizetype i = 0; i < csv.size(); ++i) {
        const QChar c = csv[i];
        if (c == u'"' && quoted && i + 1 < csv.size() && csv[i + 1] == u'"')
            text += csv[++i];
        else if (c == u'"')
            quoted = !quoted;
        else if (c == u',' && !quoted)
            text += tab;
        else if (c != u'\r' && !(quoted && (c == tab || c == newLine)))
            text += c;
    }
    return text;
}

} // namespace

std::span<const CopyRow> copyRows()
{
    return copied;
}

bool CopyRow::fits(const FigureSpec& spec, const FigureHit& hit) const
{
    const bool matrix = spec.kind->csv == nullptr && !hit.panel;
    switch (what) {
    case What::Value:
        return matrix && hit.isCell();
    case What::Row:
        return matrix && hit.row.has_value();
    case What::Column:
        return matrix && hit.column.has_value();
    case What::Table:
        break;
    }
    return true;
}

CopyRow::What meantBy(const FigureSpec& spec, const FigureHit& hit)
{
    for (const CopyRow& row : copied) {
        if (row.fits(spec, hit))
            return row.what;
    }
    return CopyRow::What::Table;
}

QString copiedText(const FigureSpec& spec, const Trace& trace, const FigureHit& hit, CopyRow::What what,
                   const std::stop_token& stop)
{
    const ThreadStop ofMaps(stop);
    const TextForOtherFonts text;
    if (spec.kind->csv != nullptr)
        return withTabs(QString::fromUtf8(spec.kind->csv(spec, trace)));
    FigureSpec needed = spec;
    if (needed.range.of != ColorRange::Of::Row && needed.range.of != ColorRange::Of::Numbers)
        needed.range = {}; // no other map is looked at for the end of a scale
    std::optional<int> row = hit.row;
    const bool ofRow = what == CopyRow::What::Value || what == CopyRow::What::Row;
    if (ofRow && row && *row >= 0 && spec.kind->numbers == heatmapContent) { // the others are not needed
        const int place = *row + (spec.rows ? spec.rows->first : 0);
        needed.rows = ShownSpan{place, place};
        row = 0;
    }
    const MatrixContent content = spec.kind->numbers(needed, trace);
    const bool hasRow = row && *row >= 0 && *row < content.rows();
    const bool hasColumn = hit.column && *hit.column >= 0 && *hit.column < content.columns();
    switch (what) {
    case CopyRow::What::Value:
        return hasRow && hasColumn ? content.tableText(*row, *hit.column) : QString();
    case CopyRow::What::Row:
        return hasRow ? line(QStringList{QString()} + content.columnLabels) + rowText(content, *row) : QString();
    case CopyRow::What::Column:
        return hasColumn ? columnText(content, *hit.column) : QString();
    case CopyRow::What::Table:
        break;
    }
    return tableText(content, stop);
}

} // namespace attn::ui
