// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"

#include "base/error.h"
#include "models/run_checks.h"
#include "models/transformer_decoder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

namespace attn {

namespace {

void checkSegments(const Source& source, int segments)
{
    if (source.segments.empty())
        return;
    if (source.segments.size() != source.ids.size())
        throw Error(ErrorKind::Input, "segments",
                    fmt::format("are {} for {} tokens", source.segments.size(), source.ids.size()));
    const auto outside = std::ranges::find_if(source.segments, [&](int s) { return s < 0 || s >= segments; });
    if (outside != source.segments.end())
        throw Error(ErrorKind::Input, "segments", fmt::format("{} is none of the model's {}", *outside, segments));
}

} // namespace

const RotaryPositions* TransformerStack::lengthRotary() const
{
    for (const TransformerLayer& one : layers) {
        const RotaryPositions* const rotary = one.self.attention.settings().rotary.get();
        if (rotary != nullptr && rotary->followsLength())
            return rotary;
    }
    return nullptr;
}

Transformer::Transformer(ModelInfo info, TransformerParts parts)
    : m_info(std::move(info))
    , m_parts(std::move(parts))
{
}

// Rows of the first layer, [source, width].
Tensor Transformer::inputRows(const TransformerStack& stack, const Source& source, RunContext& context) const
{
    checkInput(source, m_info);
    if (stack.media)
        return stack.media->rows(context.engine, source.input, context.positions);
    checkSegments(source, m_info.segments);
    stack.report(attentionRun(context), {{Stage::Encoder, 0}, AttentionRows::Positions, 0, 0, indexSize(source.ids)},
                 source);
    return stack.input.rows(context.engine, source,
                            context.positions ? stack.input.positions.numbers(source.ids, 0) : std::vector<int>());
}

std::shared_ptr<const EncoderOutput> Transformer::encode(const Source& source, RunContext& context) const
{
    if (!m_parts.encoder)
        throw Error(ErrorKind::Input, m_info.family, "is a decoder-only model, it has no encoder");
    const TransformerStack& stack = *m_parts.encoder;
    Tensor rows = inputRows(stack, source, context);
    runLayers(stack, rows, Stage::Encoder, Mask::None, context);
    if (m_parts.bridge)
        rows = m_parts.bridge->apply(context.engine, rows.matrix());
    return std::make_shared<TransformerMemory>(std::move(rows));
}

void runLayers(const TransformerStack& stack, Tensor& rows, Stage stage, Mask mask, RunContext& context)
{
    reportHidden(context, stage, 0, 0, 0, rows.matrix());
    const AttentionRun run = attentionRun(context);
    const int layers = stack.depth();
    for (int layer = 0; layer < layers; ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = stack.layer(layer);
        const bool besides = layer == 0 && stack.beside;
        const Tensor before = besides ? rows : Tensor();
        MultiHeadAttention::KeysValues projected;
        const auto groups = [&](NumberView input) {
            projected = weights.self.attention.project(run, input);
            const AttentionCall call{{stage, layer}, AttentionRows::Positions, 0, 0, input.rows, mask};
            return std::vector<AttentionGroup>{{call, 0, projected.keys.matrix(), projected.values.matrix()}};
        };
        weights.apply(run, rows, groups, {});
        if (besides)
            stack.beside->apply(context.engine, before.matrix(), rows);
        if (layer + 1 == layers && stack.finalNorm)
            normalize(context.engine, *stack.finalNorm, rows);
        if ((layer + 1) % stack.layersOfState == 0)
            reportHidden(context, stage, (layer + 1) / stack.layersOfState, 0, 0, rows.matrix());
        reportLayer(context, layer, layers);
    }
    throwIfStopped(context.stop);
}

Tensor Transformer::predictMasked(const EncoderOutput& encoded, RunContext& context) const
{
    const auto* memory = dynamic_cast<const TransformerMemory*>(&encoded);
    if (!m_info.predictsMasked || memory == nullptr)
        return SequenceModel::predictMasked(encoded, context);
    throwIfStopped(context.stop);
    return m_parts.head->apply(context.engine, memory->states());
}

Tensor Transformer::classify(const EncoderOutput& encoded, RunContext& context) const
{
    const auto* memory = dynamic_cast<const TransformerMemory*>(&encoded);
    if (m_info.task == TaskHead::None || m_info.kind != ModelKind::EncoderOnly || memory == nullptr)
        return SequenceModel::classify(encoded, context);
    throwIfStopped(context.stop);
    const NumberView states = memory->states();
    if (m_info.task != TaskHead::Text)
        return m_parts.head->apply(context.engine, states);
    const NumberView first = states.rowRange(0, 1);
    const Index specials = indexSize(m_info.patches.specials);
    switch (m_parts.pooling) {
    case Pooling::First:
        return m_parts.head->apply(context.engine, first);
    case Pooling::Mean:
        return m_parts.head->apply(context.engine, meanOfRows(states).matrix());
    case Pooling::FirstTwo:
        return m_parts.head->apply(context.engine, joined({first, states.rowRange(1, 1)}).matrix());
    case Pooling::FirstAndMean:
        break;
    }
    const Tensor mean = meanOfRows(states.rowRange(specials, states.rows - specials));
    return m_parts.head->apply(context.engine, joined({first, mean.matrix()}).matrix());
}

std::unique_ptr<DecoderState> Transformer::start(std::shared_ptr<const EncoderOutput> encoded,
                                                 RunContext& context) const
{
    if (!m_parts.decoder)
        throw Error(ErrorKind::Input, m_info.family, "is an encoder-only model, it has no decoder");
    const auto memory = std::dynamic_pointer_cast<const TransformerMemory>(encoded);
    if ((memory == nullptr) == m_parts.encoder.has_value() || (encoded && !memory))
        throw Error(ErrorKind::Input, "decoder", "the source was encoded by another model");
    return std::make_unique<TransformerState>(*this, memory.get(), context);
}

Tensor Transformer::positionalEncoding(int positions) const
{
    const PositionTable& table = (m_parts.encoder ? m_parts.encoder : m_parts.decoder)->input.positions;
    if (table.kind == AddedPositions::None)
        return {};
    std::vector<int> numbers(std::min(positions, m_info.maximumLength.value_or(positions)));
    std::iota(numbers.begin(), numbers.end(), table.offset);
    return table.rows(numbers);
}

Tensor Transformer::positionScores(Stage stage, int head, int positions) const
{
    const auto& stack = stage == Stage::Encoder ? m_parts.encoder : m_parts.decoder;
    if (stage == Stage::Cross || !stack)
        return {};
    const MultiHeadSettings& settings = stack->layers.front().self.attention.settings();
    if (head < 0 || head >= m_info.heads({stage, 0}))
        throw Error(ErrorKind::Input, "head", fmt::format("{} is none of the layer's", head));
    if (settings.positions ? !settings.positions->bias(0, 0, head).has_value() : !settings.rotary)
        return {};
    Tensor scores({positions, positions});
    if (settings.positions) {
        for (int query = 0; query < positions; ++query) {
            for (int key = 0; key < positions; ++key)
                scores.matrix().at(query, key) = *settings.positions->bias(query, key, head);
        }
        return scores;
    }
    std::vector<float> byDistance; // from 1 - positions on
    const std::vector<double> angles = settings.rotary->frequencies(positions);
    for (int distance = 1 - positions; distance < positions; ++distance) {
        double sum = 0;
        for (const double angle : angles)
            sum += std::cos(distance * angle);
        byDistance.push_back(static_cast<float>(sum / indexSize(angles)));
    }
    for (int query = 0; query < positions; ++query)
        std::copy_n(byDistance.begin() + (positions - 1 - query), positions, scores.matrix().row(query).begin());
    return scores;
}

Tensor Transformer::embeddings(std::span<const TokenId> ids, Stage stage) const
{
    const bool decoder = (stage == Stage::Decoder && m_parts.decoder) || !m_parts.encoder;
    const auto& table = (decoder ? m_parts.decoder : m_parts.encoder)->input.tokens;
    if (!table)
        return SequenceModel::embeddings(ids, stage);
    checkIds(ids, table->vocabulary(), decoder ? "target" : "source");
    return table->rows(ids);
}

} // namespace attn
