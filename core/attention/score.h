// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/matmul.h"
#include "tensor/tensor.h"

namespace attn {

// score = q . k / sqrt(width), for each head (Vaswani et al. 2017).
void scaledDotScores(Engine& engine, HeadShape shape, HeadRows queries, HeadRows keys, float* scores);

// score = v . tanh(W q + U h + b) (Bahdanau et al. 2015, section A.1.2).
class AdditiveScore
{
public:
    // query: W, [size, query width]; key: U and b, [size, key width]; v: [1, size].
    AdditiveScore(Linear query, Linear key, Linear v);

    // U h + b, which is the same at every step. annotations: [keys, key width].
    Tensor projectKeys(Engine& engine, MatrixView annotations) const;
    // scores: [queries, keys].
    void compute(Engine& engine, MatrixView queries, MatrixView projectedKeys, float* scores) const;

private:
    Linear m_query;
    Linear m_key;
    Linear m_v;
};

} // namespace attn
