// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer_decoder.h"

#include "base/error.h"
#include "models/run_checks.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

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

} // namespace

TransformerState::TransformerState(const Transformer& model, const TransformerMemory* memory, RunContext& context)
    : m_model(model)
    , m_stack(*model.parts().decoder)
{
    const AttentionRun run = attentionRun(context);
    for (int layer = 0; layer < m_stack.depth(); ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = m_stack.layer(layer);
        if (weights.cross)
            m_source.push_back(weights.cross->attention.project(run, memory->states()));
        addCache(layer, context);
    }
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

std::unique_ptr<DecoderState> TransformerState::upTo(int inputs, RunContext& context) const
{
    const RotaryPositions* const rotary = m_stack.lengthRotary();
    const bool shorterDiffers = rotary != nullptr && rotary->changes(inputs, m_position);
    const bool allCached = m_hypotheses == 1 && m_caches.front().keys(0).rows == m_position;
    if (!m_source.empty() || !allCached || shorterDiffers)
        return nullptr;
    auto copy = std::make_unique<TransformerState>(m_model, nullptr, context);
    for (std::size_t layer = 0; layer < m_caches.size(); ++layer)
        copy->m_caches[layer].append(0, m_caches[layer].keys(0).rowRange(0, inputs),
                                     m_caches[layer].values(0).rowRange(0, inputs));
    copy->m_tokens[0].assign(m_tokens[0].begin(), m_tokens[0].begin() + inputs);
    copy->m_position = inputs;
    return copy;
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
        RunContext whole{context.engine,    sink, context.capture, context.stop,
                         context.positions, {},   context.edits,   context.maps};
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
    if (rereads(m_position + 1))
        reread(inputs, context);
    else
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
    m_hypotheses = indexSize(parents);
}

std::vector<AttentionGroup> TransformerState::selfGroups(int layer, NumberView rows, AttentionRows meaning,
                                                         const AttentionRun& run)
{
    const MultiHeadAttention& attention = m_stack.layer(layer).self.attention;
    const KeysValues fresh = attention.project(run, rows, meaning, m_position);
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
        const KeysValues& source = m_source.at(layer);
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
}

} // namespace attn
