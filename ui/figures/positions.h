// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/matrix_figure.h"

namespace attn::ui {

// The positional encoding: rows are positions, columns dimensions; zero in the middle of the colour scale.
MatrixContent positionsContent(const FigureSpec& spec);

} // namespace attn::ui
