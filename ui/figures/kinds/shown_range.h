// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/value_scale.h"
#include "figures/parts/matrix_content.h"

#include <QString>
#include <QStringList>

#include <cstddef>

namespace attn::ui {

// The end of a range over the head, the layer or all heads, and how many weights are looked at to find it; 0: the range
// is of something else.
double rangeEnd(const FigureSpec& spec, const Trace& trace);
std::size_t rangeCost(const FigureSpec& spec, const Trace& trace);

// A matrix's texts on its colour scale.
void setRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace);

// The colours between two numbers that were chosen, or else between zero and an end; of a difference as far on both
// sides of zero.
ValueScale scaleTo(const FigureSpec& spec, double end, bool aroundZero);
// Text beside the bar.
QStringList scaleNotes(const FigureSpec& spec);
// Texts of a matrix of any kind on its colour scale, once it has its cells; rows have scales of their own where that
// was chosen.
void setScale(MatrixContent& content, const FigureSpec& spec, double end);
// A round number from the end of a range on, but where it is clipped.
double roundEnd(const FigureSpec& spec, double end);

} // namespace attn::ui
