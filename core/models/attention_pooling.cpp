// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention_pooling.h"

#include "base/stop.h"
#include "models/run_checks.h"

#include <limits>
#include <utility>

namespace attn {

Tensor pool(const LearnedQueryScore& score, RunContext& context, const AttentionCall& call, MatrixView annotations,
            const std::vector<bool>* hidden)
{
    throwIfStopped(context.stop);
    Tensor sums({call.rows, annotations.columns});
    const auto write = [&](float* scores, const StageReport& stages) {
        score.compute(context.engine, annotations, scores, stages);
        if (hidden == nullptr)
            return;
        // One query for all rows: each looks at its own keys.
        const std::ptrdiff_t keys = annotations.rows;
        for (std::ptrdiff_t row = call.rows - 1; row >= 0; --row) {
            for (std::ptrdiff_t key = 0; key < keys; ++key)
                scores[row * keys + key] = (*hidden)[static_cast<std::size_t>(row * keys + key)]
                    ? -std::numeric_limits<float>::infinity()
                    : scores[key];
        }
    };
    attend(attentionRun(context), call, {1, annotations.columns}, write,
           {annotations.data, annotations.rows, annotations.columns}, sums.data());
    return sums;
}

AttentionPoolingModel::AttentionPoolingModel(ModelInfo info, AttentionAxis rows, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_rows(rows)
    , m_encoder(std::move(parts.encoder))
    , m_score(std::move(parts.score))
{
}

std::shared_ptr<const EncoderOutput> AttentionPoolingModel::encode(const Source& source, RunContext& context) const
{
    const Tensor input = embedded(source);
    const Tensor annotations = topStates(m_encoder, context, input.matrix());
    reportHidden(context, Stage::Encoder, 0, 0, 0, annotations.matrix());
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = m_score.queries();
    call.rowAxis = m_rows;
    const Tensor sums = pool(m_score, context, call, annotations.matrix());
    context.sink.progressed({1, "encoder"});
    const auto values = sums.values();
    return std::make_shared<TextVector>(
        static_cast<int>(source.ids.size()),
        Tensor({1, static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()}));
}

} // namespace attn
