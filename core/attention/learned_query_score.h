// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/stage_report.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "tensor/tensor.h"

#include <optional>

namespace attn {

// Scores of keys against queries that are weights of the model and the same for every text: v tanh(U h + b), one row of
// v for each query (Yang et al. 2016, equations 5 and 6; Lin et al. 2017, equation 5), or v h without the layer.
class LearnedQueryScore
{
public:
    // key: U and b, [size, key width], or none; v: [queries, size] or [queries, key width].
    LearnedQueryScore(std::optional<Linear> key, Linear v);

    int queries() const { return m_v.outputs(); }
    // keys: [keys, key width]. scores: [queries, keys].
    void compute(Engine& engine, NumberView keys, MutableView scores, const StageReport& stages = {}) const;

private:
    std::optional<Linear> m_key;
    Linear m_v;
};

} // namespace attn
