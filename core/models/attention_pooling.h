// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/score.h"
#include "models/text_model.h"

#include <span>
#include <vector>

namespace attn {

// The attention of learned queries over rows: writes the weighted sums, [queries, annotation width].
// call.rows queries; starts: where the part of the keys begins that each query alone may see; empty: all see all.
Tensor pool(const LearnedQueryScore& score, RunContext& context, const AttentionCall& call, NumberView annotations,
            std::span<const int> starts = {});

// A recurrent encoder whose states are summed by attention: of one learned query (attention pooling), or of several,
// whose sums stand one after the other (structured self-attention, Lin et al. 2017).
class AttentionPoolingModel final : public TextModel
{
public:
    struct Parts
    {
        Embedding embedding;
        std::vector<RecurrentLayer> encoder;
        LearnedQueryScore score;
        std::optional<Linear> classifier;
    };
    // rows: what the queries are called.
    AttentionPoolingModel(ModelInfo info, AttentionAxis rows, Parts parts);

    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;

private:
    AttentionAxis m_rows;
    std::vector<RecurrentLayer> m_encoder;
    LearnedQueryScore m_score;
};

} // namespace attn
