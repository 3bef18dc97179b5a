// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"
#include "attention/score.h"
#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"
#include "models/run_checks.h"
#include "models/text_model.h"
#include "trace/trace_sink.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Puts together the map of a layer that attends row by row, [length, length]. Where nothing is reported weights are 0
// and scores -inf. Stages go on to another sink.
class RowCollector final : public QuietSink
{
public:
    RowCollector(TraceSink& sink, Site site, int length, const Capture& capture)
        : m_sink(sink)
        , m_site(site)
    {
        if (capture.attention)
            m_weights = Numbers::zeros(1, length, length);
        if (capture.attention && capture.scores) {
            m_scores = m_weights;
            std::ranges::fill(m_scores.values, -std::numeric_limits<float>::infinity());
        }
    }

    // The whole map.
    void report()
    {
        AttentionBlock block;
        block.site = m_site;
        m_sink.finishedAttention(block, std::move(m_weights), std::move(m_scores));
    }

    void attention(const AttentionBlock& row) override
    {
        std::ranges::copy(row.weights.row(0), m_weights.row(row.firstRow).begin());
        if (!row.scores.empty())
            std::ranges::copy(row.scores.row(0), m_scores.row(row.firstRow).begin());
    }

    void stage(const StageBlock& block) override { m_sink.stage(block); }

private:
    TraceSink& m_sink;
    Site m_site;
    Numbers m_weights;
    Numbers m_scores;
};

// The LSTM with a memory network in place of its memory cell (Cheng et al. 2016): at every token it attends to the
// hidden and memory states of all tokens before. Each layer is a site of the encoder, [source, source].
class LstmnModel final : public TextModel
{
public:
    enum class Pooling { Mean, Last };
    struct Layer
    {
        RecurrentLayer cell;
        AdditiveScore score; // its query is [x_t; summary at t-1]
    };
    struct Parts
    {
        Embedding embedding;
        std::vector<Layer> layers;
        Pooling pooling = Pooling::Mean;
        std::optional<Linear> classifier;
    };
    LstmnModel(ModelInfo info, Parts parts);

    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& /*engine*/) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;

private:
    std::vector<Layer> m_layers;
    Pooling m_pooling;
};

constexpr int progressSteps = 64; // from one report to the next

// One layer's reading of a text, token by token.
class Reading
{
public:
    Reading(const LstmnModel::Layer& layer, int number, int length, RunContext& context)
        : m_layer(layer)
        , m_width(layer.cell.hidden())
        , m_context(context)
        , m_collector(context.sink, {Stage::Encoder, number}, length, context.capture)
        , m_run{context.engine, m_collector, context.capture, context.positions, context.edits}
        , m_summary({1, 2 * std::int64_t{m_width}})
        , m_states({length, m_width})
    {
        m_call.site = {Stage::Encoder, number};
        m_call.rows = 1;
        m_call.mask = Mask::Causal; // hides nothing of the past
        m_memory.reserve(2 * m_states.size());
    }

    void read(std::span<const float> input)
    {
        if (m_position > 0)
            summarize(input);
        const auto summary = std::as_const(m_summary).values();
        RecurrentState state{half(summary.first(m_width)), half(summary.last(m_width))};
        m_layer.cell.step(m_context.engine, input, state);
        remember(state);
    }

    void reportMap() { m_collector.report(); }
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
        const auto score = [&](MutableView scores, Index /*first*/, const StageReport& stages) {
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
        if (m_keys.empty())
            m_keys.reserve(NumberView(nullptr, m_states.matrix().rows, m_keyWidth).size());
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

LstmnModel::LstmnModel(ModelInfo info, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_layers(std::move(parts.layers))
    , m_pooling(parts.pooling)
{
}

std::uint64_t LstmnModel::workBytes(const RunLength& length, const Capture& capture, const Engine& /*engine*/) const
{
    std::uint64_t most = 0;
    for (const Layer& layer : m_layers) {
        const int states = 4 * layer.cell.hidden(); // of this layer and of the one below, and the memory
        most = std::max(most, floatBytes(length.source, states) + layer.score.workBytes(1, length.source, 0));
    }
    return textBytes(length, capture, indexSize(m_layers)) + most;
}

std::shared_ptr<const EncoderOutput> LstmnModel::encode(const Source& source, RunContext& context) const
{
    Tensor rows = embedded(source);
    const int length = indexSize(source.ids);
    const int layers = indexSize(m_layers);
    for (int layer = 0; layer < layers; ++layer) {
        Reading reading(m_layers[layer], layer, length, context);
        for (int position = 0; position < length; ++position) {
            throwIfStopped(context.stop);
            if (position % progressSteps == progressSteps - 1)
                reportLayer(context, layer, layers, 1.0 * position / length);
            reading.read(rows.matrix().row(position));
        }
        if (context.capture.attention)
            reading.reportMap();
        rows = reading.takeStates();
        reportHidden(context, Stage::Encoder, layer, 0, 0, rows.matrix());
        reportLayer(context, layer, layers);
    }
    const NumberView states = rows.matrix();
    Tensor text = m_pooling == Pooling::Mean ? meanOfRows(states) : joined({states.rowRange(length - 1, 1)});
    return std::make_shared<TextVector>(length, std::move(text));
}

TextSettings readLstmnSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    const JsonObject encoder = config.requireObject("encoder");
    if (encoder.stringOr("cell", "lstm") != "lstm")
        encoder.refuse("cell", "'lstm', which is all that an LSTMN is made of");
    if (encoder.boolOr("bidirectional", false))
        encoder.refuse("bidirectional", "false: an LSTMN reads in one direction");
    settings.encoder = {Cell::Lstm, requireLayers(encoder, "layers"), requireSize(encoder, "hidden_size"), false};
    settings.attentionSize = requireSize(config.requireObject("attention"), "size");
    return settings;
}

LstmnModel::Pooling readPoolingKind(const JsonObject& config)
{
    const std::string name = config.stringOr("pooling", "mean");
    if (name != "mean" && name != "last")
        config.refuse("pooling", "'mean' or 'last'");
    return name == "mean" ? LstmnModel::Pooling::Mean : LstmnModel::Pooling::Last;
}

Weight<AdditiveScore> declareLstmnScore(WeightTable& table, const TextSettings& settings, int layer)
{
    const std::string prefix = fmt::format("attention.{}.", layer);
    const int size = settings.attentionSize;
    const int hidden = settings.encoder.hidden;
    const auto key = table.linear(prefix + "key", size, hidden);
    const auto input =
        table.tensor(prefix + "input.weight", {size, layerInputs(settings.encoder, settings.embedding, layer)});
    const auto summary = table.tensor(prefix + "summary.weight", {size, hidden});
    const auto v = table.matrix(prefix + "v.weight", {1, size});
    return [=](WeightReader& reader) -> AdditiveScore {
        const Tensor left = input(reader);
        Linear query(reader.engine(), joined({left.matrix(), summary(reader).matrix()}));
        Linear ownKey = key(reader);
        return {std::move(query), std::move(ownKey), v(reader)};
    };
}

FamilyOutput buildLstmn(const FamilyInput& input)
{
    const TextSettings settings = readLstmnSettings(input.config);
    const LstmnModel::Pooling pooling = readPoolingKind(input.config);
    const int layers = settings.encoder.layers;
    WeightTable table;
    const TextWeights text = declareText(table, settings, settings.encoder.hidden);
    const auto encoder = declareLayers(table, "encoder.rnn.", settings.encoder, settings.embedding);
    std::vector<Weight<AdditiveScore>> scores;
    for (int layer = 0; layer < layers; ++layer)
        scores.push_back(declareLstmnScore(table, settings, layer));
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeText(input.config, settings, reader, Architecture::Form::Lstmn, layers);
    LstmnModel::Parts parts{text.embedding(reader), {}, pooling, readIf(text.classifier, reader)};
    std::vector<RecurrentLayer> cells = encoder(reader);
    for (std::size_t layer = 0; layer < cells.size(); ++layer)
        parts.layers.push_back({std::move(cells[layer]), scores[layer](reader)});
    return {std::make_shared<LstmnModel>(std::move(info), std::move(parts)), reader.ignored()};
}

ConfigKeys lstmnKeys()
{
    return {.read = {"pooling"}, .more = textKeys};
}

constexpr Family lstmnRows[] = {
    {"lstmn", "of this program", {TextFiles::Kind::OneText}, ModelKind::EncoderOnly, lstmnKeys, buildLstmn}};

} // namespace

std::span<const Family> lstmnFamilies()
{
    return lstmnRows;
}

} // namespace attn
