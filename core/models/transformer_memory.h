// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sequence_model.h"

#include <utility>

namespace attn {

// What a Transformer's encoder leaves.
class TransformerMemory final : public EncoderOutput
{
public:
    explicit TransformerMemory(Tensor states)
        : m_states(std::move(states))
    {
    }

    int sourceLength() const override { return states().rows; }
    NumberView states() const { return m_states.matrix(); } // [source, width]

private:
    Tensor m_states;
};

} // namespace attn
