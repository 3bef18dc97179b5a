// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/lstmn.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr auto lstmnTitle = "LSTM with intra-attention (LSTMN)";

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

// [input, summary], side by side.
Tensor joinedGates(const Tensor& left, const Tensor& right)
{
    const NumberView a = left.matrix();
    const NumberView b = right.matrix();
    Tensor result({a.rows, a.columns + b.columns});
    float* output = result.data();
    for (int row = 0; row < a.rows; ++row)
        output = std::ranges::copy(b.row(row), std::ranges::copy(a.row(row), output).out).out;
    return result;
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
        Linear query(reader.engine(), joinedGates(left, summary(reader)));
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
    ModelInfo info = describeText(input.config, settings, reader, lstmnTitle, layers);
    LstmnModel::Parts parts{text.embedding(reader), {}, pooling, readIf(text.classifier, reader)};
    std::vector<RecurrentLayer> cells = encoder(reader);
    for (std::size_t layer = 0; layer < cells.size(); ++layer)
        parts.layers.push_back({std::move(cells[layer]), scores[layer](reader)});
    return {std::make_shared<LstmnModel>(std::move(info), std::move(parts)), reader.ignored()};
}

constexpr Family lstmnRows[] = {{"lstmn", lstmnTitle, ModelKind::EncoderOnly, buildLstmn}};

} // namespace

std::span<const Family> lstmnFamilies()
{
    return lstmnRows;
}

} // namespace attn
