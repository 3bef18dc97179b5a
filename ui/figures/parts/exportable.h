// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>

namespace attn::ui {

// A figure for any size, as Figure's layoutFigure makes it; may be called on any thread.
using FigureLayout = std::function<std::unique_ptr<const Figure>(QSizeF size)>;

struct ExportOptions;
struct FigureProvenance;

// The source of a figure.
struct FigureSource
{
    FigureSpec spec;
    Trace trace;
};

// Everything that a figure can be written to a file with: what it looks like and the numbers it shows. Holds copies, so
// that writing can go on while the figure changes.
struct Exportable
{
    QString title; // of the file; may be empty
    Theme theme = Theme::Light;
    FigureLayout layOut;
    std::function<QByteArray()> csv; // comma-separated values (RFC 4180); empty: it shows no numbers
    // .npz or .json of the run, with the command that writes it; throws Error{Cancelled}. Empty: there is none.
    std::function<void(const QString& path, const QString& command, const std::stop_token& stop)> archive;
    std::shared_ptr<const FigureSource> source = {}; // null: it is drawn from something else
    // Origin in its file when it has this name; may take a while. Empty: by which program it was made.
    std::function<FigureProvenance(const Exportable& figure, const QString& file, const ExportOptions& options)>
        provenance = {};
};

// A matrix with its labels as comma-separated values (RFC 4180): the first line has the column labels, each further
// line a row's label and its values. Full precision, UTF-8. Throws attn::Error{Input} when there is nothing to write.
QByteArray matrixCsv(const MatrixContent& content);

// The figure that a spec asks of a trace, with its matrix and the run's archive. What is seen of it in a window, whole
// cells of it, is all that there is of it in a file.
Exportable exportable(const FigureSpec& seen, const Trace& trace);
// The same figure with other choices; of one that is drawn from something else it stays as it is.
Exportable withChoices(const Exportable& figure, const FigureChoices& choices);

} // namespace attn::ui
