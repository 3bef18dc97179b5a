// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text_model.h"

#include "attention/recorded_attention.h"
#include "base/error.h"
#include "models/recording.h"
#include "models/run_checks.h"
#include "models/sequence_model.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

TextVector::TextVector(int length, Tensor vector)
    : m_length(length)
    , m_vector(std::move(vector))
{
}

TextModel::TextModel(ModelInfo info, Embedding embedding, std::optional<Linear> classifier)
    : m_info(std::move(info))
    , m_embedding(std::move(embedding))
    , m_classifier(std::move(classifier))
{
}

Tensor TextModel::embedded(const Source& source) const
{
    checkSource(source.ids, m_info);
    return m_embedding.rows(source.ids);
}

Variable TextModel::recordEmbedded(Tape& tape, const RecordedInput& input) const
{
    return tape.input(input.sourceEmbeddings.empty() ? embedded({input.source}) : Tensor::of(input.sourceEmbeddings));
}

Variable TextModel::recordLogits(Tape& tape, Variable rows, LogitCap cap) const
{
    return m_classifier ? tape.linear(*m_classifier, rows) : SequenceModel::recordLogits(tape, rows, cap);
}

std::uint64_t TextModel::textBytes(const RunLength& length, const Capture& capture, int reportingLayers) const
{
    const std::uint64_t kept =
        capture.hidden ? floatBytes(length.source, std::int64_t{reportingLayers} * m_info.modelWidth) : 0;
    return floatBytes(length.source, m_embedding.width()) + kept;
}

Tensor TextModel::classify(const EncoderOutput& encoded, RunContext& context) const
{
    if (!m_classifier)
        return SequenceModel::classify(encoded, context);
    const auto* text = dynamic_cast<const TextVector*>(&encoded);
    if (text == nullptr || text->vector().columns != m_classifier->inputs())
        throw Error(ErrorKind::Input, "classifier", "the source was encoded by another model");
    throwIfStopped(context.stop);
    return m_classifier->apply(context.engine, text->vector());
}

std::unique_ptr<DecoderState> TextModel::start(std::shared_ptr<const EncoderOutput> /*encoded*/,
                                               RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, m_info.family, "is an encoder-only model, it has no decoder");
}

Tensor TextModel::embeddings(std::span<const TokenId> ids, Stage /*stage*/) const
{
    checkIds(ids, m_info.sourceVocabulary, "source");
    return m_embedding.rows(ids);
}

Tensor topStates(const std::vector<RecurrentLayer>& layers, RunContext& context, NumberView input,
                 const RecurrentLayer::Watch& watch)
{
    Tensor states;
    const int count = indexSize(layers);
    for (int layer = 0; layer < count; ++layer) {
        throwIfStopped(context.stop);
        const auto watchLayer = [&](double share) {
            throwIfStopped(context.stop);
            if (watch)
                watch((layer + share) / count);
        };
        states = layers[layer].run(context.engine, states.empty() ? input : states.matrix(), watchLayer).states;
    }
    return states;
}

std::vector<int> sentenceStarts(std::span<const TokenId> ids, TokenId end)
{
    std::vector<int> starts;
    for (int i = 0; i < indexSize(ids); ++i) {
        if (i == 0 || ids[i - 1] == end)
            starts.push_back(i);
    }
    return starts;
}

Tensor pool(const LearnedQueryScore& score, RunContext& context, const AttentionCall& call, NumberView annotations,
            std::span<const int> starts)
{
    throwIfStopped(context.stop);
    Tensor sums({call.rows, annotations.columns});
    const auto write = [&](MutableView scores, Index /*first*/, const StageReport& stages) {
        score.compute(context.engine, annotations, scores, stages);
        // One query for all rows: each looks at its own keys.
        for (int row = indexSize(starts) - 1; row >= 0; --row) {
            const int end = row + 1 < scores.rows ? starts[row + 1] : scores.columns;
            for (int key = 0; key < scores.columns; ++key)
                scores.at(row, key) =
                    key >= starts[row] && key < end ? scores.at(0, key) : -std::numeric_limits<float>::infinity();
        }
    };
    attend(attentionRun(context), call, write, annotations, sums.matrix());
    return sums;
}

Variable recordPool(Tape& tape, const LearnedQueryScore& score, const AttentionCall& call, const AttentionEdits* edits,
                    Variable annotations, std::span<const int> starts)
{
    Variable scores = score.record(tape, annotations);
    if (!starts.empty()) { // one query for all rows, each of which looks at its own keys
        Tensor others({std::ssize(starts), tape.matrix(scores).columns});
        for (Index row = 0; row < indexSize(starts); ++row) {
            const auto keys = others.matrix().row(row);
            std::ranges::fill(keys, -std::numeric_limits<float>::infinity());
            const Index end = row + 1 < indexSize(starts) ? starts[row + 1] : indexSize(keys);
            std::ranges::fill(keys.subspan(starts[row], end - starts[row]), 0.0F);
        }
        scores = tape.sum(tape.rows(std::vector<int>(starts.size(), 0), scores), tape.constant(std::move(others)));
    }
    const Variable weights = recordWeights(tape, call, 1, edits, scores).weights;
    return tape.weightedSums({1, tape.matrix(annotations).columns}, weights, annotations);
}

Tensor SequenceModel::predictMasked(const EncoderOutput& /*encoded*/, RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no head that predicts masked tokens");
}

Tensor SequenceModel::classify(const EncoderOutput& /*encoded*/, RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no classifier");
}

PictureMatch SequenceModel::match(const EncoderOutput& /*encoded*/, std::span<const TokenId> /*text*/,
                                  RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "does not compare pictures with texts");
}

std::unique_ptr<DecoderState> DecoderState::upTo(int /*inputs*/, RunContext& /*context*/) const
{
    return nullptr;
}

Tensor SequenceModel::positionalEncoding(int /*positions*/) const
{
    return {};
}

Tensor SequenceModel::positionScores(Stage /*stage*/, int /*head*/, int /*positions*/) const
{
    return {};
}

Tensor SequenceModel::embeddings(std::span<const TokenId> /*ids*/, Stage /*stage*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no embedding table to look at");
}

Recording SequenceModel::record(Tape& /*tape*/, const RecordedInput& /*input*/) const
{
    throw Error(ErrorKind::Unsupported, info().family, "has no gradients here");
}

Variable SequenceModel::recordLogits(Tape& /*tape*/, Variable /*rows*/, LogitCap /*cap*/) const
{
    throw Error(ErrorKind::Unsupported, info().family, "has no gradients here");
}

std::vector<TokenId> readInputs(const ModelInfo& info, std::span<const TokenId> ids)
{
    std::vector<TokenId> inputs(ids.begin(), ids.end());
    if (info.kind != ModelKind::EncoderDecoder)
        return inputs;
    inputs.insert(inputs.begin(), info.decoderStart.value());
    inputs.pop_back();
    return inputs;
}

NumberView taskRows(const ModelInfo& info, std::span<const TokenId> ids, NumberView logits)
{
    if (info.task != TaskHead::Text)
        return logits;
    const bool atEnd = info.kind == ModelKind::EncoderDecoder;
    for (Index row = logits.rows - 1; row >= 0; --row) {
        if (atEnd ? info.ends(ids[row]) : info.padding != ids[row])
            return logits.rowRange(row, 1);
    }
    if (atEnd)
        throw Error(ErrorKind::Input, "source", "has no end token, whose state is what this model classifies",
                    "put it behind the text");
    return logits.rowRange(logits.rows - 1, 1); // of nothing but padding
}

Tensor taskLogits(const SequenceModel& model, const Source& source, std::shared_ptr<const EncoderOutput> encoded,
                  RunContext& context)
{
    const ModelInfo& info = model.info();
    if (info.kind == ModelKind::EncoderOnly)
        return model.classify(*encoded, context);
    const auto state = model.start(std::move(encoded), context);
    state->extend(readInputs(info, source.ids), context);
    return Tensor::of(taskRows(info, source.ids, state->logits()));
}

} // namespace attn
