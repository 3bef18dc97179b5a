// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"
#include "nn/recurrent.h"
#include "tensor/tensor.h"

#include <utility>
#include <vector>

namespace attn {

// What a recurrent encoder leaves: the annotations h_j, z, which the decoder starts from, and each layer's final
// states.
class RecurrentMemory final : public EncoderOutput
{
public:
    RecurrentMemory(Tensor annotations, Tensor initial, std::vector<RecurrentState> finals)
        : m_annotations(std::move(annotations))
        , m_initial(std::move(initial))
        , m_finals(std::move(finals))
    {
    }

    int sourceLength() const override { return annotations().rows; }
    NumberView annotations() const { return m_annotations.matrix(); } // [source, annotation width]
    NumberView initial() const { return m_initial.matrix(); } // [1, z]
    const std::vector<RecurrentState>& finals() const { return m_finals; } // [directions, hidden] of each layer

private:
    Tensor m_annotations;
    Tensor m_initial;
    std::vector<RecurrentState> m_finals;
};

} // namespace attn
