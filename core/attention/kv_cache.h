// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/matmul.h"
#include "tensor/tensor.h"

#include <memory>
#include <span>
#include <vector>

namespace attn {

// Keys and values of one layer's decoder self-attention, for each live hypothesis. Hypotheses that continue the same
// one share its rows until they append.
class KeyValueCache
{
public:
    explicit KeyValueCache(int width);

    int hypotheses() const { return static_cast<int>(m_hypotheses.size()); }
    int length() const; // rows of each hypothesis

    // Appends rows to one hypothesis. keys, values: [rows, width].
    void append(int hypothesis, MatrixView keys, MatrixView values);
    // Hypothesis i becomes what parents[i] was.
    void reorder(std::span<const int> parents);

    HeadRows keys(int hypothesis) const;
    HeadRows values(int hypothesis) const;

private:
    struct Rows
    {
        std::vector<float> keys;
        std::vector<float> values;
    };
    const Rows& at(int hypothesis) const { return *m_hypotheses.at(static_cast<std::size_t>(hypothesis)); }
    HeadRows view(const std::vector<float>& rows) const;

    int m_width;
    std::vector<std::shared_ptr<Rows>> m_hypotheses;
};

} // namespace attn
