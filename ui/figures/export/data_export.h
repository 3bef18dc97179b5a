// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/matrix_figure.h"

#include <QByteArray>
#include <QString>

namespace attn::ui {

// A matrix with its labels as comma-separated values (RFC 4180): the first line has the column labels, each further
// line a row's label and its values. Full precision, UTF-8. Throws attn::Error{Input} when there is nothing to write.
QByteArray matrixCsv(const MatrixContent& content);

// The matrix that a heatmap of this spec shows, with its tokens.
QByteArray matrixCsv(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
