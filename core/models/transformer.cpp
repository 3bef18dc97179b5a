// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"

#include "attention/kv_cache.h"
#include "base/error.h"
#include "models/run_checks.h"
#include "models/transformer_decoder.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

Tensor TokenInput::rows(Engine& engine, const Source& source, std::span<const int> numbers) const
{
    Tensor result = tokens->rows(source.ids, scaleOf(source));
    for (int row = 0; dropped && row < indexSize(source.ids); ++row) {
        if (source.ids[row] == *dropped)
            std::ranges::fill(result.matrix().row(row), 0.0F);
    }
    const auto addPositions = [&] {
        if (positions.kind != AddedPositions::None && !numbers.empty())
            add(engine, result.values(), positions.rows(numbers).values());
    };
    if (!positionsLast)
        addPositions();
    if (const auto added = besidesTokens(engine, source))
        add(engine, result.values(), added->values());
    if (norm)
        normalize(engine, *norm, result);
    if (projection)
        result = projection->apply(engine, result.matrix());
    if (positionsLast)
        addPositions();
    return result;
}

float TokenInput::scaleOf(const Source& source) const
{
    if (!dropped)
        return scale;
    constexpr float trainedShare = 0.12F; // of the tokens that were masked in training
    const auto masks = std::ranges::count(source.ids, *dropped);
    const float kept = 1.0F - static_cast<float>(masks) / static_cast<float>(source.ids.size());
    return kept > 0 ? scale * (1.0F - trainedShare) / kept : scale;
}

std::optional<Tensor> TokenInput::besidesTokens(Engine& engine, const Source& source) const
{
    std::optional<Tensor> added;
    if (segments) {
        // RoBERTa reads pairs without telling the two texts apart: its table has one row.
        std::vector<int> rows(source.ids.size(), 0);
        std::ranges::transform(source.segments, rows.begin(),
                               [last = segments->vocabulary() - 1](int segment) { return std::min(segment, last); });
        added = segments->rows(rows);
    }
    if (tasks) {
        Tensor ofTask = tasks->rows(std::vector<int>(source.ids.size(), 0));
        if (added)
            add(engine, ofTask.values(), added->values());
        added = std::move(ofTask);
    }
    return added;
}

Tensor OutputHead::apply(Engine& engine, NumberView hidden) const
{
    const auto result = [&](NumberView states) {
        Tensor values = logits.apply(engine, states);
        if (cap > 0)
            capped(engine, values.values(), cap);
        return values;
    };
    if (!transform && !norm && scale == 1.0F)
        return result(hidden);
    Tensor states = !transform ? Tensor::of(hidden)
        : activation           ? transform->activated(engine, hidden, *activation)
                               : transform->apply(engine, hidden);
    if (norm)
        normalize(engine, *norm, states);
    if (scale != 1.0F)
        std::ranges::transform(states.values(), states.data(), [this](float value) { return value * scale; });
    return result(states.matrix());
}

void TransformerStack::report(const AttentionRun& run, const AttentionCall& call, const Source& source) const
{
    const StageReport stages = run.stages(call, layer(0).self.attention.settings().shape.heads);
    if (!stages)
        return;
    const TokenId token = source.ids[static_cast<std::size_t>(stages.row())];
    Tensor embedding = input.tokens->rows({&token, 1});
    if (token == input.dropped)
        std::ranges::fill(embedding.values(), 0.0F);
    stages.vector(StageKind::Embedding, embedding.values());
    if (const float factor = input.scaleOf(source); factor != 1.0F)
        stages.vector(StageKind::EmbeddingScale, {&factor, 1});
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
