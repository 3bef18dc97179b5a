// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/lstmn.h"

#include "attention/attention.h"
#include "base/stop.h"
#include "models/row_collector.h"
#include "models/run_checks.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

// One layer's reading of a text, token by token.
class Reading
{
public:
    Reading(const LstmnModel::Layer& layer, int number, int length, RunContext& context)
        : m_layer(layer)
        , m_width(layer.cell.hidden())
        , m_context(context)
        , m_collector(context.sink, {Stage::Encoder, number}, length, context.capture)
        , m_run{context.engine, m_collector, context.capture, context.positions}
        , m_summary({1, 2 * std::int64_t{m_width}})
        , m_states({length, m_width})
    {
        m_call.site = {Stage::Encoder, number};
        m_call.rows = 1;
        m_call.mask = Mask::Causal; // hides nothing of the past
    }

    void read(std::span<const float> input)
    {
        throwIfStopped(m_context.stop);
        if (m_position > 0)
            summarize(input);
        const auto summary = std::as_const(m_summary).values();
        RecurrentState state{half(summary.first(m_width)), half(summary.last(m_width))};
        m_layer.cell.step(m_context.engine, input, state);
        remember(state);
    }

    AttentionBlock map() const { return m_collector.block(); }
    Tensor takeStates() { return std::move(m_states); }

private:
    Tensor half(std::span<const float> values) const { return {{1, m_width}, copyOf(values)}; }

    // The hidden and memory states before, weighted: [h~; c~].
    void summarize(std::span<const float> input)
    {
        const auto before = std::as_const(m_summary).values().first(m_width);
        std::vector<float> values(input.begin(), input.end());
        values.insert(values.end(), before.begin(), before.end());
        const NumberView keys{m_keys.data(), m_position, m_keyWidth};
        m_call.firstRow = m_position;
        const auto score = [&](MutableView scores, const StageReport& stages) {
            m_layer.score.compute(m_context.engine, std::span<const float>(values), keys, scores, stages);
            stages.vector(StageKind::Summary, before);
            stages.matrix(StageKind::Annotations, std::as_const(m_states).matrix().rowRange(0, m_position));
        };
        attend(m_run, m_call, score, {m_memory.data(), m_position, 2 * m_width}, m_summary.matrix());
    }

    void remember(const RecurrentState& state)
    {
        const auto hidden = state.hidden.values();
        const auto cell = state.cell.values();
        m_memory.insert(m_memory.end(), hidden.begin(), hidden.end());
        m_memory.insert(m_memory.end(), cell.begin(), cell.end());
        const Tensor key = m_layer.score.prepareKeys(m_context.engine, state.hidden.matrix());
        m_keyWidth = key.matrix().columns;
        m_keys.insert(m_keys.end(), key.values().begin(), key.values().end());
        std::ranges::copy(hidden, m_states.matrix().row(m_position).begin());
        ++m_position;
    }

    const LstmnModel::Layer& m_layer;
    int m_width;
    RunContext& m_context;
    RowCollector m_collector;
    AttentionRun m_run;
    AttentionCall m_call;
    int m_position = 0;
    int m_keyWidth = 0;
    std::vector<float> m_keys; // of the states before, [position, size]
    std::vector<float> m_memory; // [position, 2*hidden]: h, then c
    Tensor m_summary; // [1, 2*hidden]
    Tensor m_states; // [length, hidden]
};

// Mean over the rows, or the last of them: [1, width].
Tensor textVector(NumberView states, LstmnModel::Pooling pooling)
{
    const auto last = states.row(states.rows - 1);
    Tensor result({1, states.columns}, copyOf(last));
    if (pooling == LstmnModel::Pooling::Last)
        return result;
    for (int column = 0; column < states.columns; ++column) {
        double sum = 0;
        for (int row = 0; row < states.rows; ++row)
            sum += states.at(row, column);
        result.data()[column] = static_cast<float>(sum / states.rows);
    }
    return result;
}

} // namespace

LstmnModel::LstmnModel(ModelInfo info, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_layers(std::move(parts.layers))
    , m_pooling(parts.pooling)
{
}

std::shared_ptr<const EncoderOutput> LstmnModel::encode(const Source& source, RunContext& context) const
{
    Tensor rows = embedded(source);
    const int length = indexSize(source.ids);
    const int layers = indexSize(m_layers);
    for (int layer = 0; layer < layers; ++layer) {
        Reading reading(m_layers[layer], layer, length, context);
        for (int position = 0; position < length; ++position)
            reading.read(rows.matrix().row(position));
        if (context.capture.attention)
            context.sink.attention(reading.map());
        rows = reading.takeStates();
        reportHidden(context, Stage::Encoder, layer, 0, 0, rows.matrix());
        reportLayer(context, layer, layers);
    }
    return std::make_shared<TextVector>(length, textVector(rows.matrix(), m_pooling));
}

} // namespace attn
