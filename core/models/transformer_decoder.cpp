// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer_decoder.h"

#include "base/error.h"
#include "base/stop.h"
#include "models/run_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

namespace {

using KeysValues = MultiHeadAttention::KeysValues;

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
        m_sink.attention(last);
    }
    void stage(const StageBlock& block) override { m_sink.stage(block); } // of the last row: the capture says so
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

    TraceSink& m_sink;
    int m_hypothesis;
};

} // namespace

TransformerState::TransformerState(const Transformer& model, const TransformerMemory* memory, RunContext& context)
    : m_model(model)
    , m_stack(*model.parts().decoder)
{
    const AttentionRun run = attentionRun(context);
    for (const TransformerLayer& layer : m_stack.layers) {
        throwIfStopped(context.stop);
        if (layer.cross)
            m_source.push_back(layer.cross->attention.project(run, memory->states()));
        m_caches.emplace_back(layer.self.attention.keyWidth());
    }
}

// Where rotary frequencies follow the length of the text, a longer text changes every row: nothing cached is valid.
bool TransformerState::rereads(int length) const
{
    const auto& rotary = m_stack.layers.front().self.attention.settings().rotary;
    return rotary && rotary->followsLength() && length > rotary->settings().maximumPositions && m_position > 0;
}

// Reads every hypothesis from its start and keeps the last row.
void TransformerState::reread(std::span<const TokenId> inputs, RunContext& context)
{
    Tensor rows({std::ssize(inputs), m_model.info().targetVocabulary});
    for (int hypothesis = 0; hypothesis < indexSize(inputs); ++hypothesis) {
        LastRowSink sink(context.sink, hypothesis);
        RunContext whole{context.engine, sink, context.capture, context.stop, context.positions};
        if (auto& cell = whole.capture.inside; cell && cell->row == m_position && cell->hypothesis == hypothesis)
            cell->hypothesis = 0;
        else
            cell.reset();
        TransformerState state(m_model, nullptr, whole);
        state.extend(m_tokens[hypothesis], whole);
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
    const MultiHeadAttention& attention = m_stack.layers[layer].self.attention;
    const KeysValues fresh = attention.project(run, rows, meaning, m_position);
    KeyValueCache& cache = m_caches[layer];
    AttentionCall call{{Stage::Decoder, layer}, AttentionRows::Positions, 0, m_position, rows.rows, Mask::Causal};
    std::vector<AttentionGroup> groups;
    if (meaning == AttentionRows::Positions) {
        cache.append(0, fresh.keys.matrix(), fresh.values.matrix());
        groups.push_back({call, 0, cache.keys(0), cache.values(0)});
        return groups;
    }
    call.rows = 1;
    for (int hypothesis = 0; hypothesis < rows.rows; ++hypothesis) {
        cache.append(hypothesis, fresh.keys.matrix().row(hypothesis), fresh.values.matrix().row(hypothesis));
        call.hypothesis = hypothesis;
        groups.push_back({call, hypothesis, cache.keys(hypothesis), cache.values(hypothesis)});
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
    const TransformerLayer& weights = m_stack.layers[layer];
    const AttentionRun run = attentionRun(context);
    weights.self.apply(run, rows, [&](NumberView input) { return selfGroups(layer, input, meaning, run); });
    if (weights.cross) {
        const KeysValues& source = m_source[layer];
        const AttentionCall call{{Stage::Cross, layer}, meaning, 0, m_position, rows.matrix().rows};
        const AttentionGroup group{call, 0, source.keys.matrix(), source.values.matrix()};
        weights.cross->apply(run, rows, [&](NumberView /*input*/) { return std::vector{group}; });
    }
    throwIfStopped(context.stop);
    weights.feedForward.apply(context.engine, rows);
}

void TransformerState::advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context)
{
    const int positions = meaning == AttentionRows::Positions ? indexSize(inputs) : 1;
    checkIds(inputs, m_model.info().targetVocabulary, "target");
    checkTargetLength(m_position + positions, m_model.info());

    const std::vector<int> numbers = context.positions ? positionNumbers(inputs, meaning) : std::vector<int>();
    Tensor rows = m_stack.input.rows(context.engine, inputs, numbers);
    report(context, 0, meaning, rows);
    const int layers = indexSize(m_stack.layers);
    for (int layer = 0; layer < layers; ++layer) {
        runLayer(layer, rows, meaning, context);
        if (layer + 1 == layers && m_stack.finalNorm)
            normalize(context.engine, *m_stack.finalNorm, rows);
        report(context, layer + 1, meaning, rows);
    }
    throwIfStopped(context.stop);
    m_logits = m_model.parts().head->apply(context.engine, rows.matrix());
}

} // namespace attn
