// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/exportable.h"

#include <QImage>
#include <QString>

namespace attn::ui {

struct ExportOptions
{
    double widthMm = 160;
    int dpi = 300; // PNG only
};

// Writes .png, .svg or .pdf by the extension, to a temporary name beside `path` that is then renamed. Text stays text
// in SVG and PDF. Throws attn::Error{Input} for another extension or impossible size, Error{File} when writing fails.
void exportFigure(const QString& path, const Exportable& figure, const ExportOptions& options = {});
void exportFigure(const QString& path, const FigureSpec& spec, const Trace& trace, const ExportOptions& options = {});

// The same figure as an image, for the clipboard.
QImage renderFigure(const Exportable& figure, const ExportOptions& options = {});
QImage renderFigure(const FigureSpec& spec, const Trace& trace, const ExportOptions& options = {});

} // namespace attn::ui
