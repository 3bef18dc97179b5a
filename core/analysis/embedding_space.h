// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <span>
#include <vector>

namespace attn {

struct Neighbour
{
    int row = 0;
    float cosine = 0;
};

// The rows of a table that point most nearly in the direction of a vector, best first, at most `count`. Rows of zeros,
// and those that hold NaN, are left out; for such a vector there are none.
std::vector<Neighbour> nearestRows(NumberView table, std::span<const float> vector, int count);

// Whether a vector holds numbers only.
bool holdsNumbers(std::span<const float> vector);

// The plane that a cloud of points varies most in (Pearson 1901).
struct Plane
{
    Tensor points; // [rows, 2]: coordinates of each row
    double explained[2] = {0, 0}; // parts of the whole variance, 0 .. 1
};

// Part of the variance along an axis of a plane that may have been turned.
double explainedBy(const Plane& plane, int axis);

// rows >= 1. Rows that hold NaN have no place: theirs is NaN, and the plane is that of the others. The larger of
// each axis' extremes is positive, so that equal data lie equally.
Plane principalPlane(NumberView rows);

// Turns or mirrors `plane` onto `previous`, whose rows are the same words, so that a cloud can be followed from layer
// to layer: the orthogonal map that brings those that have a place in both closest (Procrustes).
void alignPlane(Plane& plane, const Plane& previous);

} // namespace attn
