// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

namespace attn {

// T5's relative positions (Raffel et al. 2020, section 2.1): a learned number for each head and bucket of distances is
// added to the scores. Near distances have a bucket each, farther ones share logarithmically wider buckets.
class RelativePositions
{
public:
    // table: [buckets, heads]. bidirectional: keys after the query have buckets of their own (encoder).
    RelativePositions(Tensor table, bool bidirectional, int maximumDistance);

    int heads() const { return m_table.matrix().columns; }
    int buckets() const { return m_table.matrix().rows; }
    // The bucket of a key `distance` = key position - query position away.
    int bucket(int distance) const;
    float bias(int distance, int head) const;

    // Row r of the scores is the query at position firstRow + r, column c the key at position c.
    void add(MutableView scores, int firstRow) const;

private:
    Tensor m_table;
    bool m_bidirectional;
    int m_maximumDistance;
};

} // namespace attn
