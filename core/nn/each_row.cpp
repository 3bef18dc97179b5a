// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/each_row.h"

#include "nn/primitives.h"

namespace attn {

void eachRow(Engine& engine, Index rows, std::int64_t work, const std::function<void(Index row)>& body)
{
    const PrimitiveCache& primitives = engine.primitives();
    primitives.guard({Operation::Softmax, engine.primitives().threadsFor(work), {rows}}, [&] {
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < rows; ++row)
            body(row);
    });
}

} // namespace attn
