// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/lstmn.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

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

void expectLstmnAttention(ExpectedTensors& expected, const TextSettings& settings)
{
    const int hidden = settings.encoder.hidden;
    for (int layer = 0; layer < settings.encoder.layers; ++layer) {
        const std::string prefix = fmt::format("attention.{}.", layer);
        expectLinear(expected, prefix + "key", settings.attentionSize, hidden);
        expected[prefix + "input.weight"] = {settings.attentionSize,
                                             layerInputs(settings.encoder, settings.embedding, layer)};
        expected[prefix + "summary.weight"] = {settings.attentionSize, hidden};
        expected[prefix + "v.weight"] = {1, settings.attentionSize};
    }
}

// [input, summary], side by side.
Tensor joinedGates(const Tensor& left, const Tensor& right)
{
    const MatrixView a = left.matrix();
    const MatrixView b = right.matrix();
    Tensor result({a.rows, std::int64_t{a.columns} + b.columns});
    float* output = result.data();
    for (int row = 0; row < a.rows; ++row)
        output = std::ranges::copy(b.row(row), std::ranges::copy(a.row(row), output).out).out;
    return result;
}

AdditiveScore readLstmnScore(WeightReader& reader, int layer, Engine& engine)
{
    const std::string prefix = fmt::format("attention.{}.", layer);
    const Tensor input = reader.tensor(prefix + "input.weight");
    Linear query(engine, joinedGates(input, reader.tensor(prefix + "summary.weight")));
    Linear key = reader.linear(prefix + "key.weight", prefix + "key.bias");
    return {"additive", std::move(query), std::move(key), reader.linear(prefix + "v.weight", std::string())};
}

} // namespace

FamilyOutput buildLstmn(const FamilyInput& input)
{
    const TextSettings settings = readLstmnSettings(input.config);
    const LstmnModel::Pooling pooling = readPoolingKind(input.config);
    ExpectedTensors expected;
    expectText(expected, settings, settings.encoder.hidden);
    expectLayers(expected, "encoder.rnn.", settings.encoder, settings.embedding);
    expectLstmnAttention(expected, settings);
    WeightReader reader(input.engine, input.checkpoint, std::move(expected), input.progress, input.stop);
    ModelInfo info =
        describeText(input.config, settings, reader, "LSTM with intra-attention (LSTMN)", settings.encoder.layers);
    LstmnModel::Parts parts{reader.embedding("embedding.weight"), {}, pooling, readClassifier(reader, settings)};
    std::vector<RecurrentLayer> cells = readLayers(reader, "encoder.rnn.", settings.encoder, settings.embedding);
    for (int layer = 0; layer < settings.encoder.layers; ++layer)
        parts.layers.push_back(
            {std::move(cells[static_cast<std::size_t>(layer)]), readLstmnScore(reader, layer, input.engine)});
    return {std::make_shared<LstmnModel>(std::move(info), std::move(parts)), reader.ignored()};
}

} // namespace attn
