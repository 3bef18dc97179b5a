// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/embedding_experiment.h"

#include "base/encoding.h"
#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <utility>

namespace attn {

namespace {

constexpr int pieceRows = 4096; // of the table at a time

// Place of one of so many states of a model with so many layers.
VectorPlace placeOf(Index index, Index number, int layers, bool positions)
{
    if (number == layers + 1 && index == 0)
        return {VectorPlace::Kind::Input, positions};
    const int after = number == layers + 1 ? index - 1 : layers - std::min(layers, number) + index;
    return {VectorPlace::Kind::After, false, after, after + 1 == layers && layers > 1};
}

} // namespace

Stage embeddingStage(const ModelInfo& info, bool writing)
{
    if (info.kind == ModelKind::DecoderOnly)
        return Stage::Decoder;
    return writing && info.kind == ModelKind::EncoderDecoder ? Stage::Decoder : Stage::Encoder;
}

int vocabularySize(const ModelInfo& info, Stage stage)
{
    return stage == Stage::Decoder ? info.targetVocabulary : info.sourceVocabulary;
}

const Tokenizer* tokenizerOf(const LoadedModel& model, Stage stage)
{
    const bool target = stage == Stage::Decoder && model.model->info().kind == ModelKind::EncoderDecoder;
    return (target ? model.tokenizers.target : model.tokenizers.source).get();
}

Encoding describedTokens(const LoadedModel& model, Stage stage, std::span<const TokenId> ids)
{
    if (const Tokenizer* tokenizer = tokenizerOf(model, stage))
        return tokenizer->describe(ids);
    return plainEncoding({ids.begin(), ids.end()});
}

Encoding namedTokens(const LoadedModel& model, Stage stage, const std::string& text)
{
    const Tokenizer* tokenizer = tokenizerOf(model, stage);
    std::vector<TokenId> ids;
    if (tokenizer == nullptr) {
        const int vocabulary = vocabularySize(model.model->info(), stage);
        const auto id = parsedNumber<TokenId>(text);
        if (!id || *id < 0 || *id >= vocabulary)
            throw Error(ErrorKind::Input, "token", fmt::format("'{}' is no id of this model's vocabulary", text),
                        fmt::format("type a number below {}", vocabulary));
        ids.push_back(*id);
        return describedTokens(model, stage, ids);
    }
    const Encoding encoded = tokenizer->encode(text);
    for (const bool special : {false, true}) {
        for (std::size_t i = 0; i < encoded.size(); ++i) {
            const bool own = isSpecial(encoded, i);
            if (own == special && (!special || encoded.tokens[i] == text))
                ids.push_back(encoded.ids[i]);
        }
        if (!ids.empty())
            break;
    }
    if (ids.empty())
        throw Error(ErrorKind::Input, "token", fmt::format("'{}' has no token in this vocabulary", text),
                    "type a word or a part of one");
    return tokenizer->describe(ids);
}

EmbeddedSentence embeddedSentence(const LoadedModel& model, const Trace& trace, Stage stage)
{
    const ModelInfo& info = model.model->info();
    EmbeddedSentence result;
    result.tokens = stage == Stage::Encoder ? trace.source() : trace.decoderInputs();
    const auto& ids = result.tokens.ids;
    const int vocabulary = vocabularySize(info, stage);
    const bool known = std::ranges::all_of(ids, [&](TokenId id) { return id >= 0 && id < vocabulary; });
    if (known && !ids.empty())
        result.layers.push_back({{}, model.model->embeddings(ids, stage)});
    const std::vector<Numbers> states = trace.hiddenStates(stage);
    const int layers = stage == Stage::Encoder ? info.encoderLayers : info.decoderLayers;
    const bool positions = !model.model->positionalEncoding(1).empty();
    for (Index i = 0; i < indexSize(states); ++i) {
        if (states[i].rows == indexSize(ids) && !states[i].empty())
            result.layers.push_back({placeOf(i, indexSize(states), layers, positions), Tensor::of(states[i])});
    }
    return result;
}

PlanesExperiment::PlanesExperiment(Question question, Stage stage)
    : m_question(std::move(question))
    , m_stage(stage)
{
    m_question.capture = {.attention = false, .hidden = true};
}

bool PlanesExperiment::advance(const Workbench& bench)
{
    if (!std::exchange(m_read, true)) {
        bench.say({ExperimentProgress::Step::Reading});
        const Trace trace = bench.ask(m_question);
        m_sentence = embeddedSentence(*bench.load(m_question.model), trace, m_stage);
        return !m_sentence.layers.empty();
    }
    const Index next = indexSize(m_layers);
    const Index all = indexSize(m_sentence.layers);
    bench.say({ExperimentProgress::Step::Layer, 1.0 * next / all, {}, next, all});
    PlacedVectors& layer = m_sentence.layers[next];
    Plane plane = principalPlane(layer.vectors.matrix());
    layer.vectors = {};
    if (next > 0)
        alignPlane(plane, m_layers.back().plane);
    m_layers.push_back({layer.place, std::move(plane)});
    return next + 1 < all;
}

NeighbourExperiment::NeighbourExperiment(std::string model, Stage stage, std::optional<TokenId> token, std::string text,
                                         int count)
    : m_modelName(std::move(model))
    , m_stage(stage)
    , m_token(token)
    , m_text(std::move(text))
    , m_count(count)
{
}

void NeighbourExperiment::begin(const LoadedModel& model)
{
    m_typed = m_token ? describedTokens(model, m_stage, {&*m_token, 1}) : namedTokens(model, m_stage, m_text);
    m_token = m_token.value_or(m_typed.ids.front());
    m_name = describedTokens(model, m_stage, {&*m_token, 1});
    m_vocabulary = vocabularySize(model.model->info(), m_stage);
    m_vector = model.model->embeddings({&*m_token, 1}, m_stage);
}

bool NeighbourExperiment::advance(const Workbench& bench)
{
    if (!m_model) {
        m_model = bench.load(m_modelName);
        begin(*m_model);
    }
    const int end = std::min(m_next + pieceRows, m_vocabulary);
    std::vector<TokenId> ids(std::max(0, end - m_next));
    std::iota(ids.begin(), ids.end(), m_next);
    if (!ids.empty()) {
        const Tensor rows = m_model->model->embeddings(ids, m_stage);
        for (Neighbour neighbour : nearestRows(rows.matrix(), m_vector.values(), m_count + 1)) {
            neighbour.row += m_next;
            if (neighbour.row != m_token)
                m_found.push_back(neighbour);
        }
        for (int row = 0; row < indexSize(ids); ++row)
            m_withoutNumbers += ids[row] != m_token && !holdsNumbers(rows.matrix().row(row)) ? 1 : 0;
        std::ranges::stable_sort(m_found, std::ranges::greater(), &Neighbour::cosine);
        m_found.resize(std::min(m_count, indexSize(m_found)));
    }
    m_next = end;
    if (m_next < m_vocabulary)
        return true;
    std::vector<TokenId> found;
    for (const Neighbour& neighbour : m_found)
        found.push_back(neighbour.row);
    m_names = describedTokens(*m_model, m_stage, found);
    m_model.reset();
    return false;
}

} // namespace attn
