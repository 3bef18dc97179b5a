// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"
#include "tensor/tensor.h"

#include <utility>

namespace attn {

// What a recurrent encoder leaves: the annotations h_j and z, which the decoder starts from.
class RecurrentMemory final : public EncoderOutput
{
public:
    RecurrentMemory(Tensor annotations, Tensor initial)
        : m_annotations(std::move(annotations))
        , m_initial(std::move(initial))
    {
    }

    int sourceLength() const override { return static_cast<int>(m_annotations.dim(0)); }
    MatrixView annotations() const { return m_annotations.matrix(); } // [source, annotation width]
    MatrixView initial() const { return m_initial.matrix(); } // [1, z]

private:
    Tensor m_annotations;
    Tensor m_initial;
};

} // namespace attn
