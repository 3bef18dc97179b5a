// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer_layer.h"

#include "nn/elementwise.h"

namespace attn {

void FeedForward::apply(Engine& engine, Tensor& rows) const
{
    Tensor hidden = first.apply(engine, rows.matrix());
    activate(engine, activation, hidden.values());
    const Tensor output = second.apply(engine, hidden.matrix());
    add(engine, rows.values(), output.values());
    norm.apply(engine, rows);
}

void AttentionBlockLayer::apply(AttentionRun& run, Tensor& rows, std::span<const AttentionGroup> groups) const
{
    const Tensor output = attention.apply(run, rows.matrix(), groups);
    add(run.engine, rows.values(), output.values());
    norm.apply(run.engine, rows);
}

} // namespace attn
