// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <vector>

namespace attn {

// Part of a head that is compared with other heads: its rows as distributions, negative weights as 0. Of a long text at
// most 32 rows; of many columns those near the diagonal and the first one by one, the others in 16 intervals.
struct HeadSketch
{
    int rows = 0; // of the whole map
    int columns = 0;
    std::vector<float> cells;
    double entropy = 0; // of all rows, nats
    int compared = 0; // rows
};
HeadSketch headSketch(NumberView weights);

// The Jensen-Shannon divergence of their rows, the mean over rows, in nats: 0 for equal heads, ln 2 at most, and that
// for maps of different sizes (Clark et al. 2019, section 6).
double headDistance(const HeadSketch& a, const HeadSketch& b);

// Heads that are alike get the same number, from 0 in the order of their first members. Average linkage: the two
// nearest groups become one while they are nearer than 0.1 nats, or while there are more than eight. Throws
// attn::Error{Cancelled} by ThreadStop. More than 1,024 heads are not compared and are one group.
std::vector<int> groupHeads(const std::vector<HeadSketch>& heads);

} // namespace attn
