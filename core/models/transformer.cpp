// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"

#include "base/error.h"
#include "base/stop.h"
#include "models/positions.h"
#include "models/run_checks.h"
#include "nn/elementwise.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

using KeysValues = MultiHeadAttention::KeysValues;

class TransformerMemory final : public EncoderOutput
{
public:
    explicit TransformerMemory(Tensor states)
        : m_states(std::move(states))
    {
    }

    int sourceLength() const override { return static_cast<int>(m_states.dim(0)); }
    MatrixView states() const { return m_states.matrix(); }

private:
    Tensor m_states; // [source, width]
};

class TransformerState final : public DecoderState
{
public:
    TransformerState(const Transformer& model, const TransformerMemory& memory, RunContext& context)
        : m_model(model)
    {
        for (const TransformerLayer& layer : m_model.weights().decoder) {
            throwIfStopped(context.stop);
            m_source.push_back(layer.cross->attention.project(context.engine, memory.states()));
            m_caches.emplace_back(layer.self.attention.width());
        }
    }

    void extend(std::span<const TokenId> inputs, RunContext& context) override;
    void step(std::span<const TokenId> inputs, RunContext& context) override;
    void reorder(std::span<const int> parents) override;
    MatrixView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }

private:
    void advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context);
    std::vector<AttentionGroup> selfGroups(int layer, MatrixView rows, AttentionRows meaning, Engine& engine);
    void report(RunContext& context, int layer, AttentionRows meaning, const Tensor& rows) const;

    const Transformer& m_model;
    std::vector<KeysValues> m_source; // of each decoder layer
    std::vector<KeyValueCache> m_caches; // of each decoder layer
    int m_hypotheses = 1;
    int m_position = 0;
    Tensor m_logits = Tensor({0, 0});
};

void TransformerState::extend(std::span<const TokenId> inputs, RunContext& context)
{
    if (m_hypotheses != 1)
        throw Error(ErrorKind::Input, "decoder",
                    fmt::format("several tokens at once need one live hypothesis, there are {}", m_hypotheses));
    advance(inputs, AttentionRows::Positions, context);
    m_position += static_cast<int>(inputs.size());
}

void TransformerState::step(std::span<const TokenId> inputs, RunContext& context)
{
    if (inputs.size() != static_cast<std::size_t>(m_hypotheses))
        throw Error(ErrorKind::Input, "decoder",
                    fmt::format("{} tokens for {} live hypotheses", inputs.size(), m_hypotheses));
    advance(inputs, AttentionRows::Hypotheses, context);
    ++m_position;
}

void TransformerState::reorder(std::span<const int> parents)
{
    checkParents(parents, m_hypotheses);
    for (KeyValueCache& cache : m_caches)
        cache.reorder(parents);
    m_hypotheses = static_cast<int>(parents.size());
}

std::vector<AttentionGroup> TransformerState::selfGroups(int layer, MatrixView rows, AttentionRows meaning,
                                                         Engine& engine)
{
    const auto index = static_cast<std::size_t>(layer);
    const KeysValues fresh = m_model.weights().decoder[index].self.attention.project(engine, rows);
    KeyValueCache& cache = m_caches[index];
    AttentionCall call{{Stage::Decoder, layer}, AttentionRows::Positions, 0, m_position, rows.rows, Mask::Causal};
    std::vector<AttentionGroup> groups;
    if (meaning == AttentionRows::Positions) {
        cache.append(0, fresh.keys.matrix(), fresh.values.matrix());
        groups.push_back({call, 0, cache.keys(0), cache.values(0)});
        return groups;
    }
    call.rows = 1;
    for (int hypothesis = 0; hypothesis < rows.rows; ++hypothesis) {
        const MatrixView key{fresh.keys.matrix().row(hypothesis).data(), 1, rows.columns};
        const MatrixView value{fresh.values.matrix().row(hypothesis).data(), 1, rows.columns};
        cache.append(hypothesis, key, value);
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

void TransformerState::advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context)
{
    const TransformerConfig& config = m_model.config();
    const int positions = meaning == AttentionRows::Positions ? static_cast<int>(inputs.size()) : 1;
    checkIds(inputs, config.targetVocabulary, "target");
    checkTargetLength(m_position + positions, m_model.info());

    Tensor rows = m_model.weights().targetEmbedding.rows(inputs, config.embeddingScale);
    const Tensor table = sinusoidalPositions(m_position, positions, config.width);
    for (int row = 0; row < static_cast<int>(inputs.size()); ++row) {
        const auto width = static_cast<std::size_t>(config.width);
        const auto position = table.matrix().row(meaning == AttentionRows::Positions ? row : 0);
        add(context.engine, rows.values().subspan(static_cast<std::size_t>(row) * width, width), position);
    }
    report(context, 0, meaning, rows);

    AttentionRun run{context.engine, context.sink, context.capture};
    for (int layer = 0; layer < config.decoder.layers; ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = m_model.weights().decoder[static_cast<std::size_t>(layer)];
        const KeysValues& source = m_source[static_cast<std::size_t>(layer)];
        weights.self.apply(run, rows, selfGroups(layer, rows.matrix(), meaning, context.engine));
        const AttentionCall call{{Stage::Cross, layer}, meaning, 0, m_position, static_cast<int>(inputs.size())};
        const AttentionGroup cross{call, 0, source.keyRows(), source.valueRows()};
        weights.cross->apply(run, rows, {&cross, 1});
        weights.feedForward.apply(context.engine, rows);
        report(context, layer + 1, meaning, rows);
    }
    m_logits = m_model.weights().output.apply(context.engine, rows.matrix());
}

} // namespace

Transformer::Transformer(TransformerConfig config, ModelInfo info, TransformerWeights weights)
    : m_config(config)
    , m_info(std::move(info))
    , m_weights(std::move(weights))
{
}

std::shared_ptr<const EncoderOutput> Transformer::encode(const Source& input, RunContext& context) const
{
    const std::span<const TokenId> source = input.ids;
    checkSource(source, m_info);
    const int length = static_cast<int>(source.size());
    Tensor rows = m_weights.sourceEmbedding.rows(source, m_config.embeddingScale);
    add(context.engine, rows.values(), sinusoidalPositions(0, length, m_config.width).values());
    reportHidden(context, Stage::Encoder, 0, 0, 0, rows.matrix());

    AttentionRun run{context.engine, context.sink, context.capture};
    const int layers = m_config.encoder.layers;
    for (int layer = 0; layer < layers; ++layer) {
        throwIfStopped(context.stop);
        const TransformerLayer& weights = m_weights.encoder[static_cast<std::size_t>(layer)];
        const KeysValues projected = weights.self.attention.project(context.engine, rows.matrix());
        const AttentionCall call{{Stage::Encoder, layer}, AttentionRows::Positions, 0, 0, length};
        const AttentionGroup group{call, 0, projected.keyRows(), projected.valueRows()};
        weights.self.apply(run, rows, {&group, 1});
        weights.feedForward.apply(context.engine, rows);
        reportHidden(context, Stage::Encoder, layer + 1, 0, 0, rows.matrix());
        context.sink.progressed(
            {static_cast<double>(layer + 1) / layers, fmt::format("encoder layer {} of {}", layer + 1, layers)});
    }
    throwIfStopped(context.stop);
    return std::make_shared<TransformerMemory>(std::move(rows));
}

std::unique_ptr<DecoderState> Transformer::start(std::shared_ptr<const EncoderOutput> encoded,
                                                 RunContext& context) const
{
    const auto memory = std::dynamic_pointer_cast<const TransformerMemory>(encoded);
    if (!memory)
        throw Error(ErrorKind::Input, "decoder", "the source was encoded by another model");
    return std::make_unique<TransformerState>(*this, *memory, context);
}

Tensor Transformer::positionalEncoding(int positions) const
{
    return sinusoidalPositions(0, positions, m_config.width);
}

} // namespace attn
