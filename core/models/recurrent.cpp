// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recurrent.h"

#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/stage_report.h"
#include "base/error.h"
#include "models/run_checks.h"
#include "models/sequence_model.h"
#include "nn/elementwise.h"
#include "nn/recurrent.h"
#include "tensor/tensor.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Output of a recurrent encoder: the annotations h_j, z, which the decoder starts from, and each layer's final
// states.
class RecurrentMemory final : public EncoderOutput
{
public:
    RecurrentMemory(Tensor annotations, Tensor initial, std::vector<RecurrentState> finals)
        : m_annotations(std::move(annotations))
        , m_initial(std::move(initial))
        , m_finals(std::move(finals))
    {
    }

    int sourceLength() const override { return annotations().rows; }
    NumberView annotations() const { return m_annotations.matrix(); } // [source, annotation width]
    NumberView initial() const { return m_initial.matrix(); } // [1, z]
    const std::vector<RecurrentState>& finals() const { return m_finals; } // [directions, hidden] of each layer

private:
    Tensor m_annotations;
    Tensor m_initial;
    std::vector<RecurrentState> m_finals;
};

// The states of a recurrent decoder, one row for each live hypothesis.
class RecurrentDecoderState final : public DecoderState
{
public:
    // The model must outlive the state.
    RecurrentDecoderState(const RecurrentModel& model, std::shared_ptr<const RecurrentMemory> memory,
                          RunContext& context);

    void extend(std::span<const TokenId> inputs, RunContext& context) override;
    void step(std::span<const TokenId> inputs, RunContext& context) override;
    void reorder(std::span<const int> parents) override;
    NumberView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }

private:
    void startStates(RunContext& context);
    Tensor contextRows(RunContext& context);
    Tensor intraRows(RunContext& context);
    void applyGate(Tensor& contexts, RunContext& context) const;
    LocalScope localScope(NumberView queries, Engine& engine) const;
    void runCells(const Tensor& input, RunContext& context);
    Tensor stepBahdanau(const Tensor& embedded, RunContext& context);
    Tensor stepLuong(const Tensor& embedded, RunContext& context);
    Tensor features(const Tensor& embedded, const Tensor& contexts, RunContext& context);
    int hypotheses() const { return m_states.back().hidden.matrix().rows; }

    const RecurrentModel& m_model;
    std::shared_ptr<const RecurrentMemory> m_memory;
    std::shared_ptr<const Tensor> m_keys; // as they are scored, [source, width]; null without attention
    std::vector<RecurrentState> m_states; // of each layer: [hypotheses, hidden]
    Tensor m_fed; // input feeding: the last features, [hypotheses, output size]
    std::optional<std::mt19937_64> m_generator; // of hard attention that draws
    ScoreHistory m_scored; // of intra-temporal attention
    std::optional<KeyValueCache> m_past; // of intra-decoder attention: the top states with what they are scored by
    Tensor m_pastKeys; // of the step's top states
    int m_position = 0;
    StageReport m_stages; // of the current step
    Tensor m_logits = Tensor({0, 0});
};

// z, [1, width].
Tensor initialOf(const RecurrentConfig& config, const RecurrentLayer::Output& top)
{
    const auto last = top.last.hidden.values();
    switch (config.initialState) {
    case InitialState::Mean:
        return meanOfRows(top.states.matrix());
    case InitialState::FirstBackward: {
        const auto backward = last.subspan(config.encoder.hidden);
        return {{1, config.encoder.hidden}, copyOf(backward)};
    }
    case InitialState::Last:
    case InitialState::Copy:
        break;
    }
    return {{1, config.annotationWidth()}, copyOf(last)};
}

Tensor pick(const Tensor& rows, std::span<const int> parents)
{
    if (rows.empty())
        return rows;
    const NumberView matrix = rows.matrix();
    Tensor result({std::ssize(parents), matrix.columns});
    float* output = result.data();
    for (const int parent : parents)
        output = std::ranges::copy(matrix.row(parent), output).out;
    return result;
}

// tanh(W z + b) for all layers: [1, layers*hidden].
Tensor initialRow(const Linear& linear, const RecurrentMemory& memory, Engine& engine)
{
    Tensor row = linear.apply(engine, memory.initial());
    activate(engine, Activation::Tanh, row.values());
    return row;
}

Tensor layerPart(const Tensor& row, int layer, int hidden)
{
    return {{1, hidden}, copyOf(row.matrix().row(0).subspan(layer * hidden, hidden))};
}

// The directions' states side by side, [1, all].
Tensor oneRow(const Tensor& states)
{
    if (states.empty())
        return {};
    return {{1, std::ssize(states.values())}, copyOf(states.matrix())};
}

Tensor largerOfPairs(const Tensor& pairs)
{
    const NumberView matrix = pairs.matrix();
    Tensor result({matrix.rows, matrix.columns / 2});
    for (std::size_t i = 0; i < result.size(); ++i)
        result.data()[i] = std::max(pairs.data()[2 * i], pairs.data()[2 * i + 1]);
    return result;
}

RecurrentDecoderState::RecurrentDecoderState(const RecurrentModel& model, std::shared_ptr<const RecurrentMemory> memory,
                                             RunContext& context)
    : m_model(model)
    , m_memory(std::move(memory))
{
    throwIfStopped(context.stop);
    startStates(context);
    if (m_model.config().inputFeeding)
        m_fed = Tensor({1, m_model.config().outputSize});
    if (m_model.weights().attention)
        m_keys = std::make_shared<const Tensor>(
            m_model.weights().attention->prepareKeys(context.engine, m_memory->annotations()));
    if (m_model.weights().intra)
        m_past.emplace(m_model.config().decoder.hidden);
    if (context.hardSeed)
        m_generator.emplace(*context.hardSeed);
}

void RecurrentDecoderState::startStates(RunContext& context)
{
    const RecurrentModelWeights& weights = m_model.weights();
    const RecurrentStack& stack = m_model.config().decoder;
    if (!weights.initial) {
        for (const RecurrentState& last : m_memory->finals())
            m_states.push_back({oneRow(last.hidden), oneRow(last.cell)});
        return;
    }
    const Tensor hidden = initialRow(*weights.initial, *m_memory, context.engine);
    Tensor cell;
    if (weights.initialCell)
        cell = initialRow(*weights.initialCell, *m_memory, context.engine);
    for (int layer = 0; layer < stack.layers; ++layer)
        m_states.push_back(
            {layerPart(hidden, layer, stack.hidden), cell.empty() ? Tensor() : layerPart(cell, layer, stack.hidden)});
}

void RecurrentDecoderState::extend(std::span<const TokenId> inputs, RunContext& context)
{
    checkOneHypothesis(hypotheses());
    checkIds(inputs, m_model.info().targetVocabulary, "target");
    m_logits = stepByStep(*this, inputs, m_model.info(), context);
}

void RecurrentDecoderState::step(std::span<const TokenId> inputs, RunContext& context)
{
    throwIfStopped(context.stop);
    checkInputs(inputs, hypotheses(), m_model.info());
    const Tensor embedded = m_model.weights().targetEmbedding.rows(inputs);
    Tensor hidden =
        m_model.config().style == DecoderStyle::Luong ? stepLuong(embedded, context) : stepBahdanau(embedded, context);
    m_logits = m_model.weights().output.apply(context.engine, hidden.matrix());
    if (m_model.config().inputFeeding)
        m_fed = std::move(hidden);
    ++m_position;
}

void RecurrentDecoderState::runCells(const Tensor& input, RunContext& context)
{
    NumberView below = input.matrix();
    for (int layer = 0; layer < indexSize(m_states); ++layer) {
        m_model.weights().decoder[layer].step(context.engine, below, m_states[layer]);
        below = m_states[layer].hidden.matrix();
        reportHiddenOfHypotheses(context, layer, m_position, below);
    }
}

Tensor RecurrentDecoderState::stepBahdanau(const Tensor& embedded, RunContext& context)
{
    Tensor contexts = contextRows(context);
    applyGate(contexts, context);
    runCells(joined({embedded.matrix(), contexts.matrix()}), context);
    return features(embedded, contexts, context);
}

// beta = sigmoid(W h + b) of the states before the step.
void RecurrentDecoderState::applyGate(Tensor& contexts, RunContext& context) const
{
    const auto& gate = m_model.weights().gate;
    if (!gate)
        return;
    Tensor shares = gate->apply(context.engine, m_states.back().hidden.matrix());
    activate(context.engine, Activation::Sigmoid, shares.values());
    for (int hypothesis = 0; hypothesis < contexts.matrix().rows; ++hypothesis) {
        const float share = shares.matrix().at(hypothesis, 0);
        for (float& value : contexts.matrix().row(hypothesis))
            value *= share;
        context.sink.gated(hypothesis, m_position, share);
    }
}

Tensor RecurrentDecoderState::stepLuong(const Tensor& embedded, RunContext& context)
{
    const bool feeds = m_model.config().inputFeeding;
    runCells(feeds ? joined({embedded.matrix(), m_fed.matrix()}) : embedded, context);
    const Tensor contexts = contextRows(context);
    return features(embedded, contexts, context);
}

LocalScope RecurrentDecoderState::localScope(NumberView queries, Engine& engine) const
{
    const RecurrentConfig& config = m_model.config();
    const auto last = static_cast<float>(m_memory->sourceLength() - 1);
    LocalScope local{{}, config.window, config.scope == AttentionScope::LocalPredictive};
    if (!local.gaussian) {
        local.centers.assign(queries.rows, std::min(static_cast<float>(m_position), last));
        return local;
    }
    Tensor hidden = m_model.weights().position->apply(engine, queries);
    activate(engine, Activation::Tanh, hidden.values());
    Tensor parts = m_model.weights().positionV->apply(engine, hidden.matrix());
    activate(engine, Activation::Sigmoid, parts.values());
    for (const float part : parts.values())
        local.centers.push_back(last * part);
    return local;
}

// The top state attends to the annotations; without attention the context is always z.
Tensor RecurrentDecoderState::contextRows(RunContext& context)
{
    const RecurrentModelWeights& weights = m_model.weights();
    if (!weights.attention)
        return pick(Tensor({1, m_memory->initial().columns}, copyOf(m_memory->initial())),
                    std::vector<int>(hypotheses(), 0));
    const NumberView annotations = m_memory->annotations();
    const NumberView queries = m_states.back().hidden.matrix();
    Tensor contexts({queries.rows, annotations.columns});
    const AttentionRun run = attentionRun(context);
    AttentionCall call{{Stage::Cross, 0}, AttentionRows::Hypotheses, 0, m_position, queries.rows,
                       Mask::None,        m_model.config().mode};
    LocalScope local;
    if (m_model.config().scope != AttentionScope::Global) {
        local = localScope(queries, context.engine);
        call.local = &local;
    }
    if (m_generator)
        call.generator = &*m_generator;
    m_stages = run.stages(call, 1);
    const auto score = [&](MutableView scores, Index /*first*/, const StageReport& stages) {
        weights.attention->compute(context.engine, queries, m_keys->matrix(), scores, stages);
        if (!m_model.config().temporal)
            return;
        stages.rowOf(StageKind::Undiscounted, scores);
        m_scored.discount(scores.values());
    };
    attend(run, call, score, annotations, contexts.matrix());
    return contexts;
}

// The top state attends to those of the steps before.
Tensor RecurrentDecoderState::intraRows(RunContext& context)
{
    const CompatibilityScore& score = *m_model.weights().intra;
    const NumberView states = m_states.back().hidden.matrix();
    m_pastKeys = score.prepareKeys(context.engine, states);
    Tensor sums({states.rows, states.columns});
    const AttentionRun run = attentionRun(context);
    for (int hypothesis = 0; hypothesis < states.rows; ++hypothesis) {
        const NumberView state = states.rowRange(hypothesis, 1);
        m_past->append(hypothesis, m_pastKeys.matrix().row(hypothesis), state);
        const NumberView past = m_past->keys(hypothesis);
        AttentionCall call{{Stage::Decoder, 0}, AttentionRows::Hypotheses, hypothesis, m_position, 1, Mask::Earlier};
        attend(
            run, call,
            [&](MutableView scores, Index /*first*/, const StageReport& stages) {
                score.compute(context.engine, state, past, scores, stages);
            },
            m_past->values(hypothesis), sums.matrix().rowRange(hypothesis, 1));
    }
    return sums;
}

// Features that the logits are made of, [hypotheses, output size].
Tensor RecurrentDecoderState::features(const Tensor& embedded, const Tensor& contexts, RunContext& context)
{
    const RecurrentModelWeights& weights = m_model.weights();
    const NumberView state = m_states.back().hidden.matrix();
    const RecurrentConfig& config = m_model.config();
    if (config.output == OutputKind::Deep) {
        Tensor sum = weights.outputHidden.apply(context.engine, joined({state, contexts.matrix()}).matrix());
        if (config.outputEmbedding)
            add(context.engine, sum.values(), embedded.values());
        if (config.outputTanh)
            activate(context.engine, Activation::Tanh, sum.values());
        return sum;
    }
    Tensor joint = m_model.config().output == OutputKind::Attentional
        ? joined({contexts.matrix(), state})
        : joined({state, contexts.matrix(), embedded.matrix()});
    if (weights.intra)
        joint = joined({joint.matrix(), intraRows(context).matrix()});
    Tensor hidden = weights.outputHidden.apply(context.engine, joint.matrix());
    if (m_model.config().output == OutputKind::Maxout)
        return largerOfPairs(hidden);
    activate(context.engine, Activation::Tanh, hidden.values());
    if (m_model.config().output == OutputKind::Attentional && m_stages) {
        m_stages.vector(StageKind::JointState, joint.matrix().row(m_stages.row()));
        m_stages.vector(StageKind::AttentionalState, hidden.matrix().row(m_stages.row()));
    }
    return hidden;
}

void RecurrentDecoderState::reorder(std::span<const int> parents)
{
    checkParents(parents, hypotheses());
    for (RecurrentState& state : m_states) {
        state.hidden = pick(state.hidden, parents);
        state.cell = pick(state.cell, parents);
    }
    m_fed = pick(m_fed, parents);
    m_scored.reorder(parents, m_memory->sourceLength());
    if (m_past)
        m_past->reorder(parents);
}

} // namespace

RecurrentModel::RecurrentModel(RecurrentConfig config, ModelInfo info, RecurrentModelWeights weights)
    : m_config(config)
    , m_info(std::move(info))
    , m_weights(std::move(weights))
{
}

std::uint64_t RecurrentModel::workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const
{
    const int width = m_config.annotationWidth();
    const int hidden = m_config.decoder.hidden;
    const std::uint64_t states = floatBytes(length.inputs(), std::int64_t{m_config.decoder.layers} * hidden);
    std::uint64_t bytes =
        runBytes(engine, m_weights.encoder, length.source) + logitBytes(m_info, length.given, length, capture);
    if (m_weights.pictures) {
        constexpr std::uint64_t layers = 4; // what a layer reads and makes, a residual's other branch, oneDNN's work
        bytes += layers * m_weights.pictures->largestLayer * sizeof(float);
    }
    if (m_weights.attention)
        bytes += m_weights.attention->workBytes(length.hypotheses, length.source, static_cast<std::uint64_t>(width))
            + 2 * floatBytes(length.source, length.hypotheses); // a step's rows, and what is reported of them
    // Earlier scores, in double precision: now, and while hypotheses are chosen.
    const std::uint64_t scored = m_config.temporal ? length.source * sizeof(double) : 0;
    bytes += 2 * length.hypotheses * scored;
    if (m_weights.intra)
        bytes += length.hypotheses
            * KeyValueCache::bytesFor(static_cast<std::uint64_t>(hidden), length.given + length.steps);
    return capture.hidden ? bytes + floatBytes(length.source, width) + states : bytes;
}

std::shared_ptr<const EncoderOutput> RecurrentModel::encode(const Source& input, RunContext& context) const
{
    checkInput(input, m_info);
    if (m_weights.pictures) {
        Tensor cells =
            m_weights.pictures->run(context.engine, input.input, [&context] { throwIfStopped(context.stop); });
        reportHidden(context, Stage::Encoder, 0, 0, 0, cells.matrix());
        Tensor mean = meanOfRows(cells.matrix());
        return std::make_shared<RecurrentMemory>(std::move(cells), std::move(mean), std::vector<RecurrentState>());
    }
    const std::span<const TokenId> source = input.ids;
    RecurrentLayer::Output top{m_weights.sourceEmbedding->rows(source), {}};
    std::vector<RecurrentState> finals;
    const int layers = m_config.encoder.layers;
    for (int layer = 0; layer < layers; ++layer) {
        throwIfStopped(context.stop);
        top = m_weights.encoder[layer].run(context.engine, top.states.matrix(), [&](double share) {
            throwIfStopped(context.stop);
            reportLayer(context, layer, layers, share);
        });
        finals.push_back(top.last);
        reportLayer(context, layer, layers);
    }
    throwIfStopped(context.stop);
    reportHidden(context, Stage::Encoder, 0, 0, 0, top.states.matrix());
    Tensor initial = initialOf(m_config, top);
    return std::make_shared<RecurrentMemory>(std::move(top.states), std::move(initial), std::move(finals));
}

std::unique_ptr<DecoderState> RecurrentModel::start(std::shared_ptr<const EncoderOutput> encoded,
                                                    RunContext& context) const
{
    auto memory = std::dynamic_pointer_cast<const RecurrentMemory>(encoded);
    if (!memory)
        throw Error(ErrorKind::Input, "decoder", "the source was encoded by another model");
    return std::make_unique<RecurrentDecoderState>(*this, std::move(memory), context);
}

Tensor RecurrentModel::embeddings(std::span<const TokenId> ids, Stage stage) const
{
    const bool decoder = stage == Stage::Decoder;
    if (!decoder && !m_weights.sourceEmbedding)
        return SequenceModel::embeddings(ids, stage);
    const Embedding& table = decoder ? m_weights.targetEmbedding : *m_weights.sourceEmbedding;
    checkIds(ids, table.vocabulary(), decoder ? "target" : "source");
    return table.rows(ids);
}

} // namespace attn
