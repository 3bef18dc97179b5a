// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/kv_cache.h"
#include "models/run_checks.h"
#include "models/transformer.h"

#include <algorithm>
#include <cstdint>

namespace attn {

namespace {

// Numbers that a layer makes of each row while it computes them together.
std::uint64_t numbersOfRow(const TransformerLayer& layer)
{
    const auto number = [](int count) { return static_cast<std::uint64_t>(count); };
    const auto attending = [&](const MultiHeadAttention& attention) { // queries, their sums, keys, rotated keys, values
        const HeadShape& shape = attention.settings().shape;
        return 2 * number(shape.heads * shape.width) + 2 * number(attention.keyWidth())
            + number(attention.valueWidth());
    };
    const FeedForward& feedForward = layer.feedForward;
    std::uint64_t most = std::max(attending(layer.self.attention), number(feedForward.innerWidth()));
    if (layer.cross)
        most = std::max(most, attending(layer.cross->attention));
    return most + 3 * number(feedForward.width()); // the rows, and what normalisations make of them and of the block
}

std::uint64_t rowBytes(const TransformerStack& stack, std::uint64_t rows)
{
    std::uint64_t most = 0;
    for (const TransformerLayer& layer : stack.layers)
        most = std::max(most, numbersOfRow(layer));
    return floatBytes(rows, most);
}

// Bytes of the first layer's input, and of the states of all.
std::uint64_t stateBytes(const TransformerStack& stack, std::uint64_t rows)
{
    return floatBytes(rows, (std::int64_t{stack.depth()} + 1) * stack.width());
}

// The keys and values that a decoder keeps.
std::uint64_t cacheBytes(const TransformerStack& stack, const RunLength& length)
{
    std::uint64_t bytes = 0;
    for (int index = 0; index < stack.depth(); ++index) {
        const TransformerLayer& layer = stack.layer(index);
        const int width = std::max(layer.self.attention.keyWidth(), layer.self.attention.valueWidth());
        bytes +=
            length.hypotheses * KeyValueCache::bytesFor(static_cast<std::uint64_t>(width), length.given + length.steps);
        if (layer.cross)
            bytes += floatBytes(length.source, 2 * layer.cross->attention.keyWidth());
    }
    return bytes;
}

// Rows of a decoder that are computed together: those that it is given, and where every row is computed anew or, behind
// a beam search, those of a whole hypothesis.
std::uint64_t rowsTogether(const TransformerStack& stack, const ModelInfo& info, const RunLength& length)
{
    const std::uint64_t all = length.given + length.steps;
    const RotaryPositions* const rotary = stack.lengthRotary();
    const bool anew = rotary != nullptr && all > static_cast<std::uint64_t>(rotary->border());
    const bool whole = info.kind == ModelKind::DecoderOnly && length.hypotheses > 1;
    return anew || whole ? all : std::max(length.given, length.hypotheses);
}

} // namespace

std::uint64_t Transformer::workBytes(const RunLength& length, const Capture& capture, const Engine& /*engine*/) const
{
    std::uint64_t bytes = 0;
    std::uint64_t rows = m_info.predictsMasked ? length.source : 0; // that logits are made of
    if (m_parts.encoder)
        bytes += workBytesOf(*m_parts.encoder, length.source, capture.hidden);
    if (m_parts.decoder) {
        rows = rowsTogether(*m_parts.decoder, m_info, length);
        bytes += rowBytes(*m_parts.decoder, rows) + cacheBytes(*m_parts.decoder, length)
            + (capture.hidden ? stateBytes(*m_parts.decoder, length.inputs()) : 0);
    }
    if (m_parts.head)
        bytes += floatBytes(rows, m_parts.head->logits.inputs()) + logitBytes(m_info, rows, length, capture);
    return bytes;
}

std::uint64_t workBytesOf(const TransformerStack& stack, std::uint64_t rows, bool hidden)
{
    return rowBytes(stack, rows) + (stack.media ? stack.media->workBytes(rows) : 0)
        + (hidden ? stateBytes(stack, rows) : 0);
}

} // namespace attn
