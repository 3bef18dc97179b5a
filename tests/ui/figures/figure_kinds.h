// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_grid.h"
#include "figures/kinds/positions.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/parts/matrix_figure.h"

namespace attn::ui {

// They have no header of their own.
extern const FigureKind arcsKind;
extern const FigureKind textKind;
extern const FigureKind decodingKind;

} // namespace attn::ui
