// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/score.h"
#include "models/text_model.h"

#include <vector>

namespace attn {

// The LSTM with a memory network in place of its memory cell (Cheng et al. 2016): at every token it attends to the
// hidden and memory states of all tokens before. Each layer is a site of the encoder, [source, source].
class LstmnModel final : public TextModel
{
public:
    enum class Pooling { Mean, Last };
    struct Layer
    {
        RecurrentLayer cell;
        AdditiveScore score; // its query is [x_t; summary at t-1]
    };
    struct Parts
    {
        Embedding embedding;
        std::vector<Layer> layers;
        Pooling pooling = Pooling::Mean;
        std::optional<Linear> classifier;
    };
    LstmnModel(ModelInfo info, Parts parts);

    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;

private:
    std::vector<Layer> m_layers;
    Pooling m_pooling;
};

} // namespace attn
