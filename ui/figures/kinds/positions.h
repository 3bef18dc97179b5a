// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/parts/matrix_figure.h"
#include "trace/position_scheme.h"

#include <QString>

namespace attn::ui {

// The positional encoding: rows are positions, columns dimensions; zero in the middle of the colour scale.
MatrixContent positionsContent(const FigureSpec& spec);

// "rotary, llama3 scaling by 8".
QString positionsText(const Positions& positions);

// How a model without an encoding to draw tells positions apart, as the rest of a sentence: "turns queries and keys by
// their positions (rotary)".
QString otherPositions(const Positions& positions);

extern const FigureKind positionsKind; // the positional encoding of a model

} // namespace attn::ui
