// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>

namespace attn::ui {

// A figure for any size, as Figure's layoutFigure makes it; may be called on any thread.
using FigureLayout = std::function<std::unique_ptr<const Figure>(QSizeF size)>;

// Everything that a figure can be written to a file with: what it looks like and the numbers it shows. Holds copies, so
// that writing can go on while the figure changes.
struct Exportable
{
    QString title; // of the file; may be empty
    Theme theme = Theme::Light;
    FigureLayout layOut;
    std::function<QByteArray()> csv; // comma-separated values (RFC 4180); empty: it shows no numbers
    std::function<void(const QString& path)> archive; // .npz or .json of the run; empty: there is none
};

// A matrix with its labels as comma-separated values (RFC 4180): the first line has the column labels, each further
// line a row's label and its values. Full precision, UTF-8. Throws attn::Error{Input} when there is nothing to write.
QByteArray matrixCsv(const MatrixContent& content);

// The figure that a spec asks of a trace, with its matrix and the run's archive.
Exportable exportable(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
