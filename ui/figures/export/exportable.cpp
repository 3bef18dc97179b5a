// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/exportable.h"

#include "figures/export/data_export.h"
#include "trace/archive.h"

namespace attn::ui {

Exportable exportable(const FigureSpec& spec, const Trace& trace)
{
    return {
        spec.title, spec.theme, [spec, trace](QSizeF size) { return layoutFigure(spec, trace, size); },
        [spec, trace] { return matrixCsv(spec, trace); },
        [leaf = spec.leaf, trace](const QString& path) { writeArchive(path.toStdString(), trace, {.leaf = leaf}); }};
}

} // namespace attn::ui
