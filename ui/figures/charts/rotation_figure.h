// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <vector>

namespace attn::ui {

// Pairs of a sinusoidal encoding as hands on a dial: a pair (sin wp, cos wp) points wp radians clockwise from the top,
// and an offset k turns it on by kw, whatever the position p is.
struct RotationContent
{
    int position = 0; // p
    int offset = 1; // k
    int width = 64; // even
    std::vector<int> pairs; // one dial for each
};

// About six pairs from the fastest to the slowest.
std::vector<int> rotationPairs(int width);

// A cell is a dial with its text.
std::unique_ptr<const Figure> rotationFigure(const FigureSpec& spec, const RotationContent& content, QSizeF size);

} // namespace attn::ui
