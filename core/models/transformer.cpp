// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"

#include "base/error.h"
#include "base/stop.h"
#include "models/run_checks.h"
#include "models/transformer_decoder.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <utility>

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

// rows + f(norm(rows)) or norm(rows + f(rows)).
template<typename Block>
void residual(Engine& engine, Tensor& rows, const Norm& norm, NormPlace place, const Block& block)
{
    if (place == NormPlace::Before) {
        Tensor input = rows;
        normalize(engine, norm, input);
        const Tensor output = block(input.matrix());
        add(engine, rows.values(), output.values());
        return;
    }
    const Tensor output = block(rows.matrix());
    add(engine, rows.values(), output.values());
    normalize(engine, norm, rows);
}

} // namespace

Tensor TokenInput::rows(Engine& engine, const Source& source, std::span<const int> numbers) const
{
    Tensor result = tokens.rows(source.ids, scale);
    if (positions.kind != AddedPositions::None && !numbers.empty())
        add(engine, result.values(), positions.rows(numbers).values());
    if (segments) {
        // RoBERTa reads pairs without telling the two texts apart: its table has one row.
        std::vector<int> rows(source.ids.size(), 0);
        std::ranges::transform(source.segments, rows.begin(),
                               [last = segments->vocabulary() - 1](int segment) { return std::min(segment, last); });
        add(engine, result.values(), segments->rows(rows).values());
    }
    if (norm)
        normalize(engine, *norm, result);
    return projection ? projection->apply(engine, result.matrix()) : std::move(result);
}

Tensor OutputHead::apply(Engine& engine, NumberView hidden) const
{
    if (!transform && scale == 1.0F)
        return logits.apply(engine, hidden);
    Tensor states =
        transform ? transform->apply(engine, hidden) : Tensor({hidden.rows, hidden.columns}, copyOf(hidden));
    if (transform)
        activate(engine, activation, states.values());
    if (norm)
        normalize(engine, *norm, states);
    if (scale != 1.0F)
        std::ranges::transform(states.values(), states.data(), [this](float value) { return value * scale; });
    return logits.apply(engine, states.matrix());
}

Transformer::Transformer(ModelInfo info, TransformerParts parts)
    : m_info(std::move(info))
    , m_parts(std::move(parts))
{
}

std::shared_ptr<const EncoderOutput> Transformer::encode(const Source& source, RunContext& context) const
{
    if (!m_parts.encoder)
        throw Error(ErrorKind::Input, m_info.family, "is a decoder-only model, it has no encoder");
    const TransformerStack& stack = *m_parts.encoder;
    checkSource(source.ids, m_info);
    checkSegments(source, m_info.segments);
    const int length = indexSize(source.ids);
    const std::vector<int> numbers =
        context.positions ? stack.input.positions.numbers(source.ids, 0) : std::vector<int>();
    Tensor rows = stack.input.rows(context.engine, source, numbers);
    reportHidden(context, Stage::Encoder, 0, 0, 0, rows.matrix());

    const AttentionRun run = attentionRun(context);
    const int layers = indexSize(stack.layers);
    for (int layer = 0; layer < layers; ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = stack.layers[layer];
        MultiHeadAttention::KeysValues projected;
        weights.self.apply(run, rows, [&](NumberView input) {
            projected = weights.self.attention.project(run, input);
            const AttentionCall call{{Stage::Encoder, layer}, AttentionRows::Positions, 0, 0, length};
            return std::vector<AttentionGroup>{{call, 0, projected.keys.matrix(), projected.values.matrix()}};
        });
        throwIfStopped(context.stop);
        weights.feedForward.apply(context.engine, rows);
        if (layer + 1 == layers && stack.finalNorm)
            normalize(context.engine, *stack.finalNorm, rows);
        reportHidden(context, Stage::Encoder, layer + 1, 0, 0, rows.matrix());
        reportLayer(context, layer, layers);
    }
    throwIfStopped(context.stop);
    checkFinite(rows.values(), "hidden states");
    return std::make_shared<TransformerMemory>(std::move(rows));
}

Tensor Transformer::predictMasked(const EncoderOutput& encoded, RunContext& context) const
{
    const auto* memory = dynamic_cast<const TransformerMemory*>(&encoded);
    if (!m_info.predictsMasked || memory == nullptr)
        return SequenceModel::predictMasked(encoded, context);
    throwIfStopped(context.stop);
    return m_parts.head->apply(context.engine, memory->states());
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
    if (!settings.relative && !settings.rotary)
        return {};
    std::vector<float> byDistance; // from 1 - positions on
    const std::vector<double> angles =
        settings.rotary ? settings.rotary->frequencies(positions) : std::vector<double>();
    for (int distance = 1 - positions; distance < positions; ++distance) {
        if (settings.relative) {
            byDistance.push_back(settings.relative->bias(distance, head));
            continue;
        }
        double sum = 0;
        for (const double angle : angles)
            sum += std::cos(distance * angle);
        byDistance.push_back(static_cast<float>(sum / indexSize(angles)));
    }
    Tensor scores({positions, positions});
    for (int query = 0; query < positions; ++query)
        std::copy_n(byDistance.begin() + (positions - 1 - query), positions, scores.matrix().row(query).begin());
    return scores;
}

Tensor Transformer::embeddings(std::span<const TokenId> ids, Stage stage) const
{
    const bool decoder = (stage == Stage::Decoder && m_parts.decoder) || !m_parts.encoder;
    const Embedding& table = (decoder ? m_parts.decoder : m_parts.encoder)->input.tokens;
    checkIds(ids, table.vocabulary(), decoder ? "target" : "source");
    return table.rows(ids);
}

void FeedForward::apply(Engine& engine, Tensor& rows) const
{
    residual(engine, rows, norm, place, [&](NumberView input) {
        Tensor hidden = (gate ? *gate : first).apply(engine, input);
        activate(engine, activation, hidden.values());
        if (gate)
            multiply(engine, hidden.values(), first.apply(engine, input).values());
        return second.apply(engine, hidden.matrix());
    });
}

void AttentionBlockLayer::apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const
{
    residual(run.engine, rows, norm, place,
             [&](NumberView input) { return attention.apply(run, input, groups(input)); });
}

Tensor sinusoidalPositions(std::span<const int> positions, int width, AddedPositions kind)
{
    Tensor table({std::ssize(positions), width});
    const int sines = (width + 1) / 2;
    const double steps = kind == AddedPositions::Sinusoidal ? width / 2.0 : std::max(width / 2 - 1, 1);
    for (int frequency = 0; frequency < sines; ++frequency) {
        const double wavelength = std::pow(10000.0, frequency / steps);
        for (int row = 0; row < indexSize(positions); ++row) {
            const double angle = positions[row] / wavelength;
            const auto values = table.matrix().row(row);
            values[frequency] = static_cast<float>(std::sin(angle));
            if (sines + frequency < width)
                values[sines + frequency] = static_cast<float>(std::cos(angle));
        }
    }
    return table;
}

std::vector<int> PositionTable::numbers(std::span<const TokenId> ids, int first) const
{
    std::vector<int> result;
    result.reserve(ids.size());
    int next = offset + first;
    for (const TokenId id : ids)
        result.push_back(padding == id ? *padding : next++);
    return result;
}

Tensor PositionTable::rows(std::span<const int> numbers) const
{
    if (kind == AddedPositions::Learned)
        return learned->rows(numbers);
    Tensor table = sinusoidalPositions(numbers, width, kind);
    for (int row = 0; row < indexSize(numbers); ++row) {
        if (padding == numbers[row]) // fairseq leaves it empty
            std::ranges::fill(table.matrix().row(row), 0.0F);
    }
    return table;
}

} // namespace attn
