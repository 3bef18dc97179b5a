// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/parts/matrix_figure.h"
#include "trace/position_scheme.h"

namespace attn::ui {

extern const FigureKind headGridKind; // a thumbnail for every head of a stage
extern const FigureKind arcsKind; // the tokens in two columns, lines between them
extern const FigureKind decodingKind; // one step: the output so far, candidates, attention
extern const FigureKind positionsKind; // the positional encoding of a model

// An attention map: rows are output tokens, columns input tokens. Keys after their query in decoder self-attention
// are blank, not zero.
MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace);

// "rotary, llama3 scaling by 8".
QString positionsText(const Positions& positions);

// How a model without an encoding to draw tells positions apart, as the rest of a sentence: "turns queries and keys by
// their positions (rotary)".
QString otherPositions(const Positions& positions);

} // namespace attn::ui
