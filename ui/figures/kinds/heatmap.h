// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/parts/matrix_figure.h"

namespace attn::ui {

// An attention map: rows are output tokens, columns input tokens. Keys after their query in decoder self-attention
// are blank, not zero.
MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
