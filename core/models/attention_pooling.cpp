// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention_pooling.h"

#include "base/stop.h"
#include "models/run_checks.h"

#include <iterator>
#include <limits>
#include <utility>

namespace attn {

Tensor pool(const LearnedQueryScore& score, RunContext& context, const AttentionCall& call, NumberView annotations,
            std::span<const int> starts)
{
    throwIfStopped(context.stop);
    Tensor sums({call.rows, annotations.columns});
    const auto write = [&](MutableView scores, const StageReport& stages) {
        score.compute(context.engine, annotations, scores, stages);
        // One query for all rows: each looks at its own keys.
        for (int row = indexSize(starts) - 1; row >= 0; --row) {
            const int end = row + 1 < scores.rows ? starts[row + 1] : scores.columns;
            for (int key = 0; key < scores.columns; ++key)
                scores.at(row, key) =
                    key >= starts[row] && key < end ? scores.at(0, key) : -std::numeric_limits<float>::infinity();
        }
    };
    attend(attentionRun(context), call, write, annotations, sums.matrix());
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
    return std::make_shared<TextVector>(indexSize(source.ids),
                                        Tensor({1, std::ssize(sums.values())}, copyOf(sums.matrix())));
}

} // namespace attn
