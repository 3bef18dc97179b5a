// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recurrent.h"

#include "base/error.h"
#include "base/stop.h"
#include "models/recurrent_decoder.h"
#include "models/run_checks.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

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

} // namespace

RecurrentModel::RecurrentModel(RecurrentConfig config, ModelInfo info, RecurrentModelWeights weights)
    : m_config(config)
    , m_info(std::move(info))
    , m_weights(std::move(weights))
{
}

std::shared_ptr<const EncoderOutput> RecurrentModel::encode(const Source& input, RunContext& context) const
{
    const std::span<const TokenId> source = input.ids;
    checkSource(source, m_info);
    RecurrentLayer::Output top{m_weights.sourceEmbedding.rows(source), {}};
    std::vector<RecurrentState> finals;
    const int layers = m_config.encoder.layers;
    for (int layer = 0; layer < layers; ++layer) {
        throwIfStopped(context.stop);
        top = m_weights.encoder[layer].run(context.engine, top.states.matrix());
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
    const Embedding& table = decoder ? m_weights.targetEmbedding : m_weights.sourceEmbedding;
    checkIds(ids, table.vocabulary(), decoder ? "target" : "source");
    return table.rows(ids);
}

} // namespace attn
