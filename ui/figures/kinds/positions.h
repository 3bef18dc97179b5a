// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "trace/position_scheme.h"

namespace attn::ui {

constexpr int mostPositions = 128; // that are drawn

extern const FigureKind positionsKind; // the positional encoding of a model

// The way in which a model without an encoding to draw tells positions apart, as the rest of a sentence: "turns queries
// and keys by their positions (rotary)".
QString otherPositions(const Positions& positions);

} // namespace attn::ui
