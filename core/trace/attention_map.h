// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_axis.h"
#include "trace/site.h"

#include <cstddef>
#include <vector>

namespace attn {

// All heads of one site: [heads, rows, columns], row-major. scores is empty or of the same size.
struct AttentionMap
{
    Site site;
    int firstRow = 0;
    int heads = 0;
    int rows = 0;
    int columns = 0;
    std::vector<float> weights;
    std::vector<float> scores;
    AttentionAxis rowAxis = AttentionAxis::Tokens;
    AttentionAxis columnAxis = AttentionAxis::Tokens;

    std::size_t offset(int head, int row) const
    {
        return (static_cast<std::size_t>(head) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row))
            * static_cast<std::size_t>(columns);
    }
};

// One matrix to look at: [rows, columns], row-major. Rows shorter than `columns` (decoder self-attention) are padded
// with zeros on the right.
struct AttentionMatrix
{
    int rows = 0;
    int columns = 0;
    std::vector<float> values;

    float at(int row, int column) const
    {
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns)
                      + static_cast<std::size_t>(column)];
    }
};

} // namespace attn
