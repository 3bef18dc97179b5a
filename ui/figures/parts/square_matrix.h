// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"
#include "figures/parts/matrix_figure.h"

namespace attn::ui {

// A matrix of as many rows as columns, with square cells at the top of its room.
FigureLayout squareMatrix(const FigureSpec& spec, const MatrixContent& content);

} // namespace attn::ui
