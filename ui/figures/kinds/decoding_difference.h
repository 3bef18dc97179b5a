// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <memory>

namespace attn::ui {

// One step of two runs, for specs that compare two: their outputs below each other, aligned, and of the step, or of the
// token that is looked at, by how much its attention and its candidates differ. Without a chosen step the first one
// where they part.
std::unique_ptr<const Figure> decodingDifference(const FigureSpec& spec, const Trace& trace, QSizeF size);

} // namespace attn::ui
