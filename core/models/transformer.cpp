// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"

#include "attention/kv_cache.h"
#include "base/error.h"
#include "base/stop.h"
#include "models/read_tree.h"
#include "models/run_checks.h"
#include "models/sequence_model.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Output of a Transformer's encoder.
class TransformerMemory final : public EncoderOutput
{
public:
    explicit TransformerMemory(Tensor states)
        : m_states(std::move(states))
    {
    }

    int sourceLength() const override { return states().rows; }
    NumberView states() const { return m_states.matrix(); } // [source, width]

private:
    Tensor m_states;
};

using KeysValues = MultiHeadAttention::KeysValues;
using SourceKeysValues = std::vector<KeysValues>; // of each layer with cross attention

// Record of the inputs that a decoder has read at once, to go on from any of them.
struct TransformerReading
{
    std::shared_ptr<const SourceKeysValues> source;
    std::vector<TokenId> inputs;
    std::vector<KeysValues> layers; // [inputs, width] of each
    Tensor last; // what the logits are made of, [inputs, width]
};

using TransformerReads = ReadTree<TransformerReading>;

// A Transformer's decoder at work: a cache of keys and values for each layer and live hypothesis.
class TransformerState final : public DecoderState
{
public:
    // memory: null for a decoder-only model.
    TransformerState(const Transformer& model, const TransformerMemory* memory, RunContext& context);
    // Goes on from the end of a path of at least one input.
    TransformerState(const Transformer& model, const std::vector<TransformerReads::Read>& path, RunContext& context);

    void extend(std::span<const TokenId> inputs, RunContext& context) override;
    void step(std::span<const TokenId> inputs, RunContext& context) override;
    void reorder(std::span<const int> parents) override;
    NumberView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }
    std::shared_ptr<const DecoderMark> mark(int hypothesis, int inputs) const override;

private:
    Tensor logitsOf(RunContext& context, NumberView states) const;
    KeyValueCache& addCache(int layer, const RunContext& context);
    bool rereads(int length) const;
    void reread(std::span<const TokenId> inputs, RunContext& context);
    void advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context);
    std::vector<int> positionNumbers(std::span<const TokenId> inputs, AttentionRows meaning) const;
    std::vector<AttentionGroup> selfGroups(int layer, NumberView rows, AttentionRows meaning, const AttentionRun& run);
    void runLayer(int layer, Tensor& rows, AttentionRows meaning, RunContext& context);
    void reportRouting(RunContext& context, int layer, AttentionRows meaning, const Routed& routed) const;
    void report(RunContext& context, int layer, AttentionRows meaning, const Tensor& rows) const;

    const Transformer& m_model;
    const TransformerStack& m_stack;
    std::shared_ptr<const SourceKeysValues> m_source;
    std::vector<KeyValueCache> m_caches; // of each layer
    std::vector<std::vector<TokenId>> m_tokens{{}}; // read by each hypothesis
    std::shared_ptr<TransformerReads> m_reads; // null: nothing is remembered
    std::shared_ptr<TransformerReading> m_reading; // of the inputs that are being read; null: the same
    int m_hypotheses = 1;
    int m_position = 0;
    Tensor m_logits = Tensor({0, 0});
};

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

void scaleAll(std::span<float> values, float scale)
{
    if (scale != 1.0F)
        std::ranges::transform(values, values.begin(), [scale](float value) { return value * scale; });
}

void scaleFeatures(MutableView rows, std::span<const float> scales)
{
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::transform(rows.row(row), scales, rows.row(row).begin(), std::multiplies<>());
}

// The row that the capture asks for, of those that a layer computes; most often none.
struct ReportedRow
{
    StageReport stages;
    Index row = 0;

    static ReportedRow of(const AttentionRun& run, const MultiHeadAttention& attention,
                          std::span<const AttentionGroup> groups)
    {
        for (const AttentionGroup& group : groups) {
            if (const StageReport stages = run.stages(group.call, attention.settings().shape.heads))
                return {stages, group.firstInput + stages.row()};
        }
        return {};
    }
    void report(StageKind kind, const Tensor& rows) const
    {
        if (stages)
            stages.vector(kind, rows.matrix().row(row));
    }
};

// Residual connection as Residual says, where block(input, sums) adds f(input) to sums, which may be the input, and
// returns which row it reports.
template<typename Block>
void addResidual(Engine& engine, Tensor& rows, const Residual& residual, const Block& block)
{
    ReportedRow reported;
    Tensor input;
    if (residual.input) {
        input = rows;
        normalize(engine, *residual.input, input);
        if (residual.passesNormed)
            rows = input;
    }
    const NumberView read = residual.input ? std::as_const(input).matrix() : std::as_const(rows).matrix();
    if (residual.output || residual.scale != 1.0F || residual.featureScales) {
        Tensor made(rows.shape());
        reported = block(read, made.matrix());
        if (residual.output)
            normalize(engine, *residual.output, made);
        scaleAll(made.values(), residual.scale);
        if (residual.featureScales)
            scaleFeatures(made.matrix(), residual.featureScales->values());
        reported.report(StageKind::Added, made);
        add(engine, rows.values(), made.values());
    } else {
        reported = block(read, rows.matrix());
    }
    reported.report(StageKind::Sum, rows);
    if (!residual.sum)
        return;
    normalize(engine, *residual.sum, rows);
    reported.report(StageKind::NormedSum, rows);
}

// Rows that f is computed from.
Tensor normalizedInput(Engine& engine, const Tensor& rows, const Residual& residual)
{
    Tensor input = rows;
    if (residual.input)
        normalize(engine, *residual.input, input);
    return input;
}

// Passes on the last row of what a decoder reports, as a row of `hypothesis`.
class LastRowSink final : public QuietSink
{
public:
    LastRowSink(TraceSink& sink, int hypothesis)
        : m_sink(sink)
        , m_hypothesis(hypothesis)
    {
    }

    void attention(const AttentionBlock& block) override
    {
        AttentionBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.weights.rows - 1;
        last.weights = lastRow(block.weights);
        last.scores = lastRow(block.scores);
        last.sinks = lastRow(block.sinks);
        m_sink.attention(last);
    }
    void computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps) override
    {
        block.hypothesis = m_hypothesis;
        block.firstRow += maps->rows() - 1;
        block.sinks = lastRow(block.sinks);
        m_sink.finishedAttention(block, lastRow(*maps, MapPart::Weights), lastRow(*maps, MapPart::Scores));
    }
    void stage(const StageBlock& block) override { m_sink.stage(block); } // of the last row: the capture says so
    void routed(const RoutingBlock& block) override
    {
        RoutingBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.weights.rows - 1;
        last.weights = lastRow(block.weights);
        last.ids = block.ids.last(block.weights.columns);
        m_sink.routed(last);
    }
    void hidden(const HiddenBlock& block) override
    {
        HiddenBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.values.rows - 1;
        last.values = lastRow(block.values);
        m_sink.hidden(last);
    }

private:
    static NumberView lastRow(NumberView rows) { return rows.empty() ? rows : rows.rowRange(rows.rows - 1, 1); }
    static Numbers lastRow(const MapSource& maps, MapPart part)
    {
        if (!maps.has(part))
            return {};
        Numbers rows = Numbers::unset(maps.heads(), 1, maps.columns());
        for (Index head = 0; head < maps.heads(); ++head)
            maps.compute(part, head, maps.rows() - 1, rows.view().head(head));
        return rows;
    }

    TraceSink& m_sink;
    int m_hypothesis;
};

TransformerState::TransformerState(const Transformer& model, const TransformerMemory* memory, RunContext& context)
    : m_model(model)
    , m_stack(*model.parts().decoder)
{
    const AttentionRun run = attentionRun(context);
    SourceKeysValues source;
    for (int layer = 0; layer < m_stack.depth(); ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = m_stack.layer(layer);
        if (weights.cross)
            source.push_back(weights.cross->attention.project(run, memory->states()));
        addCache(layer, context);
    }
    m_source = std::make_shared<const SourceKeysValues>(std::move(source));
    if (context.remember)
        m_reads = std::make_shared<TransformerReads>();
}

TransformerState::TransformerState(const Transformer& model, const std::vector<TransformerReads::Read>& path,
                                   RunContext& context)
    : m_model(model)
    , m_stack(*model.parts().decoder)
    , m_source(path.back().block->source)
    , m_position(indexSize(path))
{
    for (int layer = 0; layer < m_stack.depth(); ++layer) {
        throwIfStopped(context.stop);
        KeyValueCache& cache = addCache(layer, context);
        for (const auto& [before, block, row] : path) {
            const KeysValues& read = block->layers.at(layer);
            cache.append(0, read.keys.matrix().row(row), read.values.matrix().row(row));
        }
    }
    for (const auto& [before, block, row] : path)
        m_tokens[0].push_back(block->inputs[row]);
    const auto& [before, block, row] = path.back();
    m_logits = logitsOf(context, block->last.matrix().rowRange(row, 1));
    if (context.remember)
        m_reads = std::make_shared<TransformerReads>(TransformerReads::of(path));
}

// [rows, 0] where there is no head.
Tensor TransformerState::logitsOf(RunContext& context, NumberView states) const
{
    const auto& head = m_model.parts().head;
    return head ? head->apply(context.engine, states) : Tensor({states.rows, 0});
}

KeyValueCache& TransformerState::addCache(int layer, const RunContext& context)
{
    const MultiHeadAttention& attention = m_stack.layer(layer).self.attention;
    return m_caches.emplace_back(attention.keyWidth(), attention.valueWidth(), context.outputRoom);
}

std::shared_ptr<const DecoderMark> TransformerState::mark(int hypothesis, int inputs) const
{
    const RotaryPositions* const rotary = m_stack.lengthRotary();
    const bool shorterDiffers = rotary != nullptr && rotary->changes(inputs, m_position);
    if (!m_reads || (inputs < m_position && shorterDiffers))
        return nullptr;
    return std::make_shared<const ReadMark<TransformerReading>>(m_reads, m_reads->place(hypothesis, inputs));
}

// Whether nothing that is cached is valid in a text of this length: where rotary frequencies follow the length, a
// longer text may change every row.
bool TransformerState::rereads(int length) const
{
    const RotaryPositions* const rotary = m_stack.lengthRotary();
    return rotary != nullptr && m_position > 0 && rotary->changes(m_position, length);
}

// Reads every hypothesis from its start and keeps the last row.
void TransformerState::reread(std::span<const TokenId> inputs, RunContext& context)
{
    Tensor rows;
    for (int hypothesis = 0; hypothesis < indexSize(inputs); ++hypothesis) {
        LastRowSink sink(context.sink, hypothesis);
        RunContext whole{context.engine, sink,          context.capture, context.stop, context.positions, {},
                         false,          context.edits, context.maps};
        if (auto& cell = whole.capture.inside; cell && cell->row == m_position && cell->hypothesis == hypothesis)
            cell->hypothesis = 0;
        else
            cell.reset();
        TransformerState state(m_model, nullptr, whole);
        state.extend(m_tokens[hypothesis], whole);
        if (rows.empty())
            rows = Tensor({std::ssize(inputs), state.logits().columns});
        std::ranges::copy(state.logits().row(state.position() - 1), rows.matrix().row(hypothesis).begin());
    }
    m_logits = std::move(rows);
}

void TransformerState::extend(std::span<const TokenId> inputs, RunContext& context)
{
    checkOneHypothesis(m_hypotheses);
    const int length = indexSize(inputs);
    if (!rereads(m_position + length)) {
        advance(inputs, AttentionRows::Positions, context);
        m_tokens[0].insert(m_tokens[0].end(), inputs.begin(), inputs.end());
        m_position += length;
        return;
    }
    m_logits = stepByStep(*this, inputs, m_model.info(), context);
}

void TransformerState::step(std::span<const TokenId> inputs, RunContext& context)
{
    checkInputs(inputs, m_hypotheses, m_model.info());
    for (std::size_t hypothesis = 0; hypothesis < inputs.size(); ++hypothesis)
        m_tokens[hypothesis].push_back(inputs[hypothesis]);
    if (rereads(m_position + 1)) {
        m_reads.reset();
        reread(inputs, context);
    } else
        advance(inputs, AttentionRows::Hypotheses, context);
    ++m_position;
}

void TransformerState::reorder(std::span<const int> parents)
{
    checkParents(parents, m_hypotheses);
    for (KeyValueCache& cache : m_caches)
        cache.reorder(parents);
    std::vector<std::vector<TokenId>> tokens;
    for (const int parent : parents)
        tokens.push_back(m_tokens[parent]);
    m_tokens = std::move(tokens);
    if (m_reads)
        m_reads->reorder(parents);
    m_hypotheses = indexSize(parents);
}

std::vector<AttentionGroup> TransformerState::selfGroups(int layer, NumberView rows, AttentionRows meaning,
                                                         const AttentionRun& run)
{
    const MultiHeadAttention& attention = m_stack.layer(layer).self.attention;
    KeysValues fresh = attention.project(run, rows, meaning, m_position);
    KeyValueCache& cache = m_caches[layer];
    AttentionCall call{{Stage::Decoder, layer}, AttentionRows::Positions, 0, m_position, rows.rows, Mask::Causal};
    std::vector<AttentionGroup> groups;
    if (meaning == AttentionRows::Positions) {
        cache.append(0, fresh.keys.matrix(), fresh.values.matrix());
        groups.push_back({call, 0, cache.keys(0), cache.values(0)});
    } else {
        call.rows = 1;
        for (int hypothesis = 0; hypothesis < rows.rows; ++hypothesis) {
            cache.append(hypothesis, fresh.keys.matrix().row(hypothesis), fresh.values.matrix().row(hypothesis));
            call.hypothesis = hypothesis;
            groups.push_back({call, hypothesis, cache.keys(hypothesis), cache.values(hypothesis)});
        }
    }
    if (m_reading)
        m_reading->layers.push_back(std::move(fresh));
    return groups;
}

void TransformerState::report(RunContext& context, int layer, AttentionRows meaning, const Tensor& rows) const
{
    if (meaning == AttentionRows::Positions)
        reportHidden(context, Stage::Decoder, layer, 0, m_position, rows.matrix());
    else
        reportHiddenOfHypotheses(context, layer, m_position, rows.matrix());
}

std::vector<int> TransformerState::positionNumbers(std::span<const TokenId> inputs, AttentionRows meaning) const
{
    const PositionTable& positions = m_stack.input.positions;
    if (meaning == AttentionRows::Positions)
        return positions.numbers(inputs, m_position);
    std::vector<int> numbers;
    for (const TokenId& input : inputs)
        numbers.push_back(positions.numbers({&input, 1}, m_position).front());
    return numbers;
}

void TransformerState::runLayer(int layer, Tensor& rows, AttentionRows meaning, RunContext& context)
{
    throwIfStopped(context.stop);
    const AttentionRun run = attentionRun(context);
    const auto crossGroups = [&](NumberView input) {
        const KeysValues& source = m_source->at(layer);
        const AttentionCall call{{Stage::Cross, layer}, meaning, 0, m_position, input.rows};
        return std::vector<AttentionGroup>{{call, 0, source.keys.matrix(), source.values.matrix()}};
    };
    const Routed routed = m_stack.layer(layer).apply(
        run, rows, [&](NumberView input) { return selfGroups(layer, input, meaning, run); }, crossGroups);
    throwIfStopped(context.stop);
    reportRouting(context, layer, meaning, routed);
}

void TransformerState::reportRouting(RunContext& context, int layer, AttentionRows meaning, const Routed& routed) const
{
    if (routed.ids.empty())
        return;
    const NumberView weights = routed.weights.matrix();
    if (meaning == AttentionRows::Positions)
        return context.sink.routed({layer, 0, m_position, routed.ids, weights});
    for (int row = 0; row < weights.rows; ++row)
        context.sink.routed(
            {layer, row, m_position,
             std::span(routed.ids)
                 .subspan(static_cast<std::size_t>(row) * weights.columns, static_cast<std::size_t>(weights.columns)),
             weights.rowRange(row, 1)});
}

void TransformerState::advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context)
{
    const int positions = meaning == AttentionRows::Positions ? indexSize(inputs) : 1;
    checkIds(inputs, m_model.info().targetVocabulary, "target");
    checkTargetLength(m_position + positions, m_model.info());

    const std::vector<int> numbers = context.positions ? positionNumbers(inputs, meaning) : std::vector<int>();
    m_reading.reset();
    if (m_reads)
        m_reading =
            std::make_shared<TransformerReading>(TransformerReading{m_source, {inputs.begin(), inputs.end()}, {}, {}});
    const AttentionRun run = attentionRun(context);
    for (int first = 0; first < indexSize(inputs); first += positions)
        m_stack.report(run, {{Stage::Decoder, 0}, AttentionRows::Positions, first, m_position, positions},
                       inputs.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(positions)));
    Tensor rows = m_stack.input.rows(context.engine, inputs, numbers);
    report(context, 0, meaning, rows);
    const int layers = m_stack.depth();
    for (int layer = 0; layer < layers; ++layer) {
        runLayer(layer, rows, meaning, context);
        if (layer + 1 == layers && m_stack.finalNorm)
            normalize(context.engine, *m_stack.finalNorm, rows);
        report(context, layer + 1, meaning, rows);
    }
    throwIfStopped(context.stop);
    m_logits = logitsOf(context, rows.matrix());
    if (!m_reading)
        return;
    m_reading->last = std::move(rows);
    if (meaning == AttentionRows::Positions)
        m_reads->addPositions(m_reading, positions);
    else
        m_reads->addHypotheses(m_reading);
}

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
        if (length.remembers)
            bytes += floatBytes(length.inputs(), 2 * width);
        if (layer.cross)
            bytes += floatBytes(length.source, 2 * layer.cross->attention.keyWidth());
    }
    return bytes + (length.remembers ? floatBytes(length.inputs(), stack.width()) : 0);
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
    scaleAll(states.values(), scale);
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

std::uint64_t workBytesOf(const TransformerStack& stack, std::uint64_t rows, bool hidden)
{
    return rowBytes(stack, rows) + (stack.media ? stack.media->workBytes(rows) : 0)
        + (hidden ? stateBytes(stack, rows) : 0);
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

std::unique_ptr<DecoderState> Transformer::resume(const DecoderMark& mark, RunContext& context) const
{
    const auto* place = dynamic_cast<const ReadMark<TransformerReading>*>(&mark);
    if (place == nullptr || !m_parts.decoder)
        return SequenceModel::resume(mark, context);
    const auto path = place->path();
    if (indexSize(path.back().block->layers) != m_parts.decoder->depth())
        return SequenceModel::resume(mark, context);
    return std::make_unique<TransformerState>(*this, path, context);
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

void Perceptron::addTo(Engine& engine, NumberView input, MutableView sums) const
{
    if (clamped) {
        Tensor gates = gate->apply(engine, input);
        Tensor hidden = first.apply(engine, input);
        const float limit = clamped->limit;
        std::ranges::transform(gates.values(), gates.data(), [limit](float value) { return std::min(value, limit); });
        Tensor slopes = gates;
        scaleAll(slopes.values(), clamped->slope);
        activate(engine, Activation::Sigmoid, slopes.values());
        std::ranges::transform(hidden.values(), hidden.data(),
                               [limit](float value) { return std::clamp(value, -limit, limit) + 1.0F; });
        multiply(engine, hidden.values(), gates.values());
        multiply(engine, hidden.values(), slopes.values());
        return second.addTo(engine, hidden.matrix(), sums);
    }
    Tensor hidden = (gate ? *gate : first).activated(engine, input, activation);
    if (gate)
        multiply(engine, hidden.values(), first.apply(engine, input).values());
    second.addTo(engine, hidden.matrix(), sums);
}

int FeedForward::width() const
{
    return dense ? dense->first.inputs() : experts->router.inputs();
}

int FeedForward::innerWidth() const
{
    const auto numbers = [](const Perceptron& one) { return one.first.outputs() * (one.gate ? 2 : 1); };
    int most = dense ? numbers(*dense) : 0;
    if (experts) // with the rows that are gathered and what is made of them
        most = std::max(most, numbers(experts->each.front()) + 3 * experts->router.inputs());
    return most;
}

Routed FeedForward::addTo(Engine& engine, NumberView input, MutableView sums) const
{
    if (!experts) {
        dense->addTo(engine, input, sums);
        return {};
    }
    Routed routed = experts->choose(engine, input);
    Tensor made({input.rows, input.columns}); // the sums may be the input
    experts->addTo(engine, input, routed, made.matrix());
    if (dense)
        dense->addTo(engine, input, made.matrix());
    add(engine, sums.values(), made.values());
    return routed;
}

void AttentionBlockLayer::apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const
{
    addResidual(run.engine, rows, residual, [&](NumberView input, MutableView sums) {
        const std::vector<AttentionGroup> made = groups(input);
        const ReportedRow reported = ReportedRow::of(run, attention, made);
        reported.report(StageKind::State, rows);
        attention.addTo(run, input, made, sums);
        return reported;
    });
}

Routed TransformerLayer::apply(const AttentionRun& run, Tensor& rows, const AttentionBlockLayer::Grouping& selfGroups,
                               const AttentionBlockLayer::Grouping& crossGroups) const
{
    Engine& engine = run.engine;
    if (parallel) {
        const Tensor input = normalizedInput(engine, rows, self.residual);
        const Tensor own = feedForward.residual.input ? normalizedInput(engine, rows, feedForward.residual) : Tensor();
        const NumberView other = own.empty() ? input.matrix() : own.matrix();
        const std::vector<AttentionGroup> groups = selfGroups(input.matrix());
        const ReportedRow reported = ReportedRow::of(run, self.attention, groups);
        reported.report(StageKind::State, rows);
        self.attention.addTo(run, input.matrix(), groups, rows.matrix());
        if (reported.stages) {
            Tensor added({1, rows.dim(1)});
            feedForward.addTo(engine, other.row(reported.row), added.matrix());
            reported.stages.vector(StageKind::FeedForward, added.values());
        }
        Routed routed = feedForward.addTo(engine, other, rows.matrix());
        reported.report(StageKind::Sum, rows);
        return routed;
    }
    self.apply(run, rows, selfGroups);
    if (cross)
        cross->apply(run, rows, crossGroups);
    Routed routed;
    addResidual(engine, rows, feedForward.residual, [&](NumberView input, MutableView sums) {
        routed = feedForward.addTo(engine, input, sums);
        return ReportedRow();
    });
    return routed;
}

void ConvolutionBeside::apply(Engine& engine, NumberView input, Tensor& rows) const
{
    const int width = input.columns;
    Tensor around({input.rows, std::int64_t{size} * width}); // zeros beyond the ends of the text
    for (int row = 0; row < input.rows; ++row) {
        for (int part = 0; part < size; ++part) {
            const int from = row + part - size / 2;
            if (from >= 0 && from < input.rows)
                std::ranges::copy(input.row(from),
                                  around.matrix().row(row).begin() + static_cast<std::ptrdiff_t>(part) * width);
        }
    }
    add(engine, rows.values(), kernel.activated(engine, around.matrix(), activation).values());
    normalize(engine, norm, rows);
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
