// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/embeddings/embedded_sentence.h"

#include "base/error.h"
#include "figures/look/token_label.h"
#include "state/strings.h"

#include <QCoreApplication>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace attn::ui {

namespace {

constexpr int pieceRows = 4096; // of the table at a time

QString translatedNotice(const char* source)
{
    return QCoreApplication::translate("attn::ui::EmbeddingsPage", source);
}

using Rows = std::vector<std::shared_ptr<const std::vector<float>>>;

// Layer by layer, [tokens, width]; empty where it is not known for every token.
std::vector<Tensor> statesOf(const Trace& trace, Stage stage, std::size_t tokens)
{
    std::vector<Tensor> layers;
    const auto count = static_cast<std::int64_t>(tokens);
    if (stage == Stage::Encoder) {
        for (const auto& hidden : trace.encoderHidden()) {
            const bool fits = hidden && tokens > 0 && !hidden->empty() && hidden->size() % tokens == 0;
            layers.push_back(fits ? Tensor({count, static_cast<std::int64_t>(hidden->size() / tokens)}, *hidden)
                                  : Tensor());
        }
        return layers;
    }
    const Trace::Path path = trace.rowPath();
    const std::size_t number = path.empty() ? 0 : path.front()->hidden.size();
    for (std::size_t layer = 0; layer < number; ++layer) {
        std::vector<float> values;
        std::size_t width = 0;
        bool complete = path.size() == tokens;
        for (const auto& step : path) {
            const auto row = layer < step->hidden.size() ? step->hidden[layer] : nullptr;
            complete = complete && row && !row->empty() && (width == 0 || width == row->size());
            if (!complete)
                break;
            width = row->size();
            values.insert(values.end(), row->begin(), row->end());
        }
        layers.push_back(complete ? Tensor({count, static_cast<std::int64_t>(width)}, std::move(values)) : Tensor());
    }
    return layers;
}

QString layerName(std::size_t index, std::size_t number, int layers, bool positions)
{
    const auto all = static_cast<std::size_t>(std::max(layers, 0));
    if (number == all + 1 && index == 0)
        return positions ? translatedNotice("Entering layer 0, with positions") : translatedNotice("Entering layer 0");
    const std::size_t after = number == all + 1 ? index - 1 : all - std::min(all, number) + index;
    return (after + 1 == all && all > 1 ? translatedNotice("After layer %1 (last)")
                                        : translatedNotice("After layer %1"))
        .arg(after);
}

} // namespace

QString tokenName(const Encoding& encoding, std::size_t index)
{
    const auto& names = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    if (index >= names.size())
        return QStringLiteral("<%1>").arg(index < encoding.ids.size() ? encoding.ids[index] : -1);
    return readableToken(pieceText(names[index]).toStdString());
}

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

EmbeddedSentence embeddedSentence(const LoadedModel& model, const Trace& trace, Stage stage)
{
    const ModelInfo& info = model.model->info();
    EmbeddedSentence result;
    result.tokens = stage == Stage::Encoder ? trace.source() : trace.decoderInputs();
    const auto& ids = result.tokens.ids;
    const int vocabulary = vocabularySize(info, stage);
    const bool known = std::ranges::all_of(ids, [&](TokenId id) { return id >= 0 && id < vocabulary; });
    if (known && !ids.empty())
        result.layers.push_back({translatedNotice("Embeddings"), model.model->embeddings(ids, stage)});
    std::vector<Tensor> states = statesOf(trace, stage, ids.size());
    const int layers = stage == Stage::Encoder ? info.encoderLayers : info.decoderLayers;
    const bool positions = !model.model->positionalEncoding(1).empty();
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!states[i].empty())
            result.layers.push_back({layerName(i, states.size(), layers, positions), std::move(states[i])});
    }
    return result;
}

NeighbourSearch::NeighbourSearch(std::shared_ptr<const LoadedModel> model, Stage stage, TokenId token, int count)
    : m_model(std::move(model))
    , m_stage(stage)
    , m_token(token)
    , m_count(count)
    , m_size(vocabularySize(m_model->model->info(), stage))
    , m_vector(m_model->model->embeddings({&m_token, 1}, stage))
{
}

bool NeighbourSearch::advance()
{
    const int end = std::min(m_next + pieceRows, m_size);
    std::vector<TokenId> ids(static_cast<std::size_t>(std::max(0, end - m_next)));
    std::iota(ids.begin(), ids.end(), m_next);
    if (!ids.empty()) {
        const Tensor rows = m_model->model->embeddings(ids, m_stage);
        for (Neighbour neighbour : nearestRows(rows.matrix(), m_vector.values(), m_count + 1)) {
            neighbour.row += m_next;
            if (neighbour.row != m_token)
                m_found.push_back(neighbour);
        }
        std::ranges::stable_sort(m_found, std::ranges::greater(), &Neighbour::cosine);
        if (m_found.size() > static_cast<std::size_t>(m_count))
            m_found.resize(static_cast<std::size_t>(m_count));
    }
    m_next = end;
    return m_next < m_size;
}

Encoding describedTokens(const LoadedModel& model, Stage stage, std::span<const TokenId> ids)
{
    if (const Tokenizer* tokenizer = tokenizerOf(model, stage))
        return tokenizer->describe(ids);
    Encoding plain;
    plain.ids.assign(ids.begin(), ids.end());
    for (const TokenId id : ids)
        plain.tokens.push_back(fmt::format("<{}>", id));
    return plain;
}

Encoding namedTokens(const LoadedModel& model, Stage stage, const std::string& text)
{
    const Tokenizer* tokenizer = tokenizerOf(model, stage);
    std::vector<TokenId> ids;
    if (tokenizer == nullptr) {
        bool valid = false;
        ids.push_back(QString::fromStdString(text).trimmed().toInt(&valid));
        if (!valid || ids[0] < 0 || ids[0] >= vocabularySize(model.model->info(), stage))
            throw Error(ErrorKind::Input, "token", fmt::format("'{}' is no id of this model's vocabulary", text),
                        fmt::format("type a number below {}", vocabularySize(model.model->info(), stage)));
        return describedTokens(model, stage, ids);
    }
    const Encoding encoded = tokenizer->encode(text);
    for (const bool special : {false, true}) {
        for (std::size_t i = 0; i < encoded.size(); ++i) {
            const bool own = i < encoded.special.size() && encoded.special[i];
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

} // namespace attn::ui
