// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/made_up_maps.h"

#include "base/index.h"
#include "commands/bench_run.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"

#include <cstddef>
#include <fmt/format.h>
#include <span>

namespace attn::app {

namespace {

// Heads that look at a diagonal of their own width and place, and at the first token: no two look alike, and none is
// empty.
float madeUpWeight(int head, int row, int column)
{
    const float distance = static_cast<float>(column - row - head % 5 + 2) / (1.0F + 0.7F * static_cast<float>(head));
    const float ripple = 0.002F * static_cast<float>((row * 7 + column * 13 + head * 5) % 11);
    return 1 / (1 + distance * distance) + ripple + (column == 0 ? static_cast<float>(head % 3) : 0.0F);
}

Numbers madeUpMap(const MapSizes& sizes, int layer)
{
    Numbers weights = Numbers::unset(sizes.heads, sizes.tokens, sizes.tokens);
    const MutableView view = weights.view();
    for (int head = 0; head < sizes.heads; ++head) {
        for (int row = 0; row < sizes.tokens; ++row) {
            const std::span<float> line = view.row(head, row);
            float sum = 0;
            for (int column = 0; column < sizes.tokens; ++column)
                sum += line[static_cast<std::size_t>(column)] = madeUpWeight(head + layer, row, column);
            for (float& weight : line)
                weight /= sum;
        }
    }
    return weights;
}

Encoding madeUpTokens(int count)
{
    Encoding encoding;
    for (const TokenId id : someTokens(count, 30000)) {
        encoding.ids.push_back(id);
        encoding.tokens.push_back(fmt::format("w{}", id));
        encoding.words.push_back(indexSize(encoding.words));
        encoding.special.push_back(false);
    }
    return encoding;
}

} // namespace

void writeMaps(const std::filesystem::path& path, const MapSizes& sizes)
{
    Provenance provenance;
    provenance.model = "maps";
    provenance.kind = ModelKind::EncoderOnly;
    const Encoding tokens = madeUpTokens(sizes.tokens);
    TraceBuilder builder(tokens, nullptr, provenance);
    builder.begun(tokens.ids, {});
    for (int layer = 0; layer < sizes.layers; ++layer)
        builder.stored({{Stage::Encoder, layer}, 0, madeUpMap(sizes, layer), {}});
    builder.finished({});
    writeArchive(path, builder.snapshot());
}

} // namespace attn::app
