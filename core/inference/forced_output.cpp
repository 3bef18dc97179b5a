// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/forced_output.h"

#include "base/index.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "edits/attention_edits.h"
#include "inference/map_memory.h"
#include "inference/run_edits.h"
#include "inference/source_input.h"
#include "models/run_checks.h"
#include "models/sequence_model.h"
#include "nn/engine.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace attn {

namespace {

// Columns as rows: of a start and an end, one number for each token.
Tensor transposed(NumberView matrix)
{
    Tensor result({matrix.columns, matrix.rows});
    for (Index row = 0; row < matrix.rows; ++row) {
        for (Index column = 0; column < matrix.columns; ++column)
            result.matrix().at(column, row) = matrix.at(row, column);
    }
    return result;
}

// The most probable class of the text, of each token, or the most probable start and end.
std::vector<TokenId> bestOf(const Trace& run)
{
    if (run.classification())
        return {run.classification()->best()};
    std::vector<TokenId> best;
    const auto& predictions = run.tokenPredictions();
    if (!predictions)
        return best;
    const bool spans = predictions->task == TaskHead::Span;
    const Tensor turned = spans ? transposed(predictions->logits.view()) : Tensor();
    const NumberView rows = spans ? turned.matrix() : predictions->logits.view();
    for (Index row = 0; row < rows.rows; ++row)
        best.push_back(classification({}, rows.row(row)).best());
    return best;
}

bool reachEncoder(std::span<const Edit> edits, const std::vector<MapExtent>& maps)
{
    std::vector<MapExtent> own;
    std::copy_if(maps.begin(), maps.end(), std::back_inserter(own),
                 [](const MapExtent& map) { return map.site.stage == Stage::Encoder; });
    return !AttentionEdits(edits, own).empty();
}

} // namespace

ForcedOutput::ForcedOutput(std::shared_ptr<const SequenceModel> model, const Question& question, const Trace& run)
    : m_model(std::move(model))
    , m_maps(editExtent(m_model->info()).maps)
    , m_positions(!question.withoutPositions)
    , m_source(run.source())
    , m_media(run.media())
{
    const RunEdits edits(question.edits);
    m_edits.assign(edits.edits().begin(), edits.edits().end());
    if (question.decoding.sampleHardAttention)
        m_hardSeed = question.decoding.seed;
    const ModelInfo& info = m_model->info();
    if (info.task != TaskHead::None) {
        m_inputs = readInputs(info, m_source.ids);
        m_tokens = bestOf(run);
    } else if (!info.predictsTokens) {
        m_inputs = readInputs(info, m_source.ids);
    } else if (info.kind == ModelKind::DecoderOnly) {
        m_inputs = run.sequence().ids;
        m_tokens.assign(m_inputs.begin() + 1, m_inputs.end());
    } else if (info.kind == ModelKind::EncoderDecoder) {
        m_inputs = run.decoderInputs().ids;
        m_tokens = run.target().ids;
    } else if (info.predictsMasked) {
        m_tokens = m_source.ids;
    }
}

std::shared_ptr<const EncoderOutput> ForcedOutput::encoded(std::span<const Edit> further, RunContext& context,
                                                           RunContext& own)
{
    const Source source(m_source.ids, m_source.segments, inputOf(m_media.get()));
    if (reachEncoder(further, m_maps))
        return m_model->encode(source, context);
    if (!m_encoded)
        m_encoded = m_model->encode(source, own);
    return m_encoded;
}

Tensor ForcedOutput::logits(std::span<const Edit> further, Engine& engine, const std::stop_token& stop)
{
    const ModelInfo& info = m_model->info();
    const auto rows = static_cast<std::uint64_t>(std::max(m_inputs.size(), m_tokens.size()));
    constexpr std::uint64_t copies = 3; // those that these are compared with, and what comes of both
    RunLength length;
    length.source = m_source.size();
    length.given = m_inputs.size();
    requireMemory(copies * rows * static_cast<std::uint64_t>(info.targetVocabulary) * sizeof(float)
                      + workBytes(*m_model, length, {.attention = false}, engine),
                  "output");
    const EngineUse use(engine);

    std::vector<Edit> all = m_edits;
    all.insert(all.end(), further.begin(), further.end());
    const AttentionEdits edits(all, m_maps);
    const AttentionEdits ownEdits(m_edits, m_maps);
    QuietSink quiet;
    const auto contextOf = [&](const AttentionEdits& of) {
        RunContext context{engine, quiet, {.attention = false}, stop, m_positions, m_hardSeed};
        context.edits = of.empty() ? nullptr : &of;
        return context;
    };
    RunContext context = contextOf(edits);
    if (info.task != TaskHead::None) {
        RunContext own = contextOf(ownEdits);
        const bool encodes = info.kind != ModelKind::DecoderOnly;
        Tensor logits = taskLogits(*m_model, {m_source.ids, m_source.segments, inputOf(m_media.get())},
                                   encodes ? encoded(further, context, own) : nullptr, context);
        return info.task == TaskHead::Span ? transposed(logits.matrix()) : std::move(logits);
    }
    if (info.kind == ModelKind::DecoderOnly) {
        const auto state = m_model->start(nullptr, context);
        state->extend(m_inputs, context);
        return Tensor::of(state->logits());
    }
    RunContext own = contextOf(ownEdits);
    auto source = encoded(further, context, own);
    if (info.kind == ModelKind::EncoderOnly)
        return m_model->predictMasked(*source, context);
    const auto state = m_model->start(std::move(source), context);
    state->extend(m_inputs, context);
    return Tensor::of(state->logits());
}

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// The other question without an output of its own.
Question toForce(const Question& other, const Engine& engine)
{
    Question question = other;
    question.targetText.reset();
    question.targetIds.reset();
    question.prefixText.reset();
    question.prefixIds.reset();
    question.precision = engine.precision();
    question.capture = {};
    question.capture.attention = false;
    question.decoding.search = Search::Greedy;
    return question;
}

// Log probability of one of a step's tokens.
double logProbabilityOf(const TraceStep& step, TokenId token)
{
    if (step.step.token == token)
        return step.step.logProbability;
    const auto& candidates = step.step.candidates;
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [token](const Candidate& candidate) { return candidate.token == token; });
    return found == candidates.end() ? unknown : found->logProbability;
}

bool sameTokens(const std::vector<TokenId>& ids, const std::vector<std::string>& tokens, const Tokenizer* tokenizer)
{
    return tokenizer == nullptr || tokenizer->describe(ids).tokens == tokens;
}

// `count` of the forced steps from `first` on stand in the last places.
OutputScore scoreOf(const Trace::Path& own, const Trace::Path& forced, Index first, Index count)
{
    OutputScore score;
    score.tokens.assign(own.size(), unknown);
    const Index begin = indexSize(own) - count;
    for (Index i = 0; i < count; ++i) {
        const bool known = first + i < indexSize(forced);
        double& place = score.tokens[begin + i];
        place = known ? logProbabilityOf(*forced[first + i], own[begin + i]->step.token) : unknown;
        score.sum += place;
    }
    return score;
}

OutputScore ofTranslation(const Trace& run, Question question, const LoadedModel& model, Engine& engine,
                          const RunObserver& observer)
{
    const Encoding output = run.target();
    const bool same = sameTokens(output.ids, output.tokens, model.tokenizers.target.get());
    if (same)
        question.targetIds = output.ids;
    else
        question.targetText = output.text;
    const Trace forced = answer(question, model, engine, observer, EditsFit::WherePossible);
    const Trace::Path own = run.path();
    if (same)
        return scoreOf(own, forced.path(), 0, indexSize(own));
    OutputScore score{std::vector<double>(own.size(), unknown)};
    for (const auto& step : forced.path())
        score.sum += step->step.logProbability;
    return score;
}

OutputScore ofContinuation(const Trace& run, Question question, const LoadedModel& model, Engine& engine,
                           const RunObserver& observer)
{
    const Encoding all = run.sequence();
    if (!sameTokens(all.ids, all.tokens, model.tokenizers.source.get()))
        return {};
    const Index prompt = indexSize(run.source());
    const Index generated = indexSize(all) - prompt;
    if (generated == 0) {
        question.text.clear();
        question.secondText.reset();
        question.sourceIds = all.ids;
    } else {
        std::vector<TokenId> prefix(all.ids.begin() + prompt, all.ids.end());
        if (model.model->info().ends(prefix.back())) // which cannot be given
            prefix.pop_back();
        if (!prefix.empty())
            question.prefixIds = prefix;
    }
    question.decoding.generate = generated;
    const Trace forced = answer(question, model, engine, observer, EditsFit::WherePossible);
    const Trace::Path own = run.path();
    return generated == 0 ? scoreOf(own, forced.path(), 0, indexSize(own))
                          : scoreOf(own, forced.path(), indexSize(forced.source()) - 1, generated);
}

} // namespace

OutputScore outputUnder(const Trace& run, const Question& other, const LoadedModel& model, Engine& engine,
                        const RunObserver& observer)
{
    const ModelKind kind = run.kind();
    if (kind == ModelKind::EncoderOnly || kind != model.model->info().kind || run.path().empty())
        return {};
    return kind == ModelKind::DecoderOnly ? ofContinuation(run, toForce(other, engine), model, engine, observer)
                                          : ofTranslation(run, toForce(other, engine), model, engine, observer);
}

namespace {

std::string spelledIds(const std::vector<TokenId>& ids)
{
    std::string text;
    for (const TokenId id : ids)
        text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

// The prompt's first `count` tokens as all that is read.
void cutPrompt(Question& question, const Encoding& prompt, int count, const Tokenizer* tokenizer)
{
    std::vector<TokenId> ids(prompt.ids.begin(), prompt.ids.begin() + count);
    if (tokenizer == nullptr && !question.sourceIds) {
        question.text = spelledIds(ids);
        return;
    }
    const bool spelled = prompt.spans.size() == prompt.ids.size();
    std::string text = spelled ? prompt.text.substr(0, prompt.spans[count - 1].end) : std::string();
    text.resize(validUtf8Prefix(text)); // a token may be a part of a character
    const bool same = tokenizer != nullptr && spelled && tokenizer->encode(text).ids == ids;
    if (spelled)
        question.text = text;
    question.sourceIds.reset();
    question.sourceSegments.clear();
    if (!same)
        question.sourceIds = std::move(ids);
}

} // namespace

Question branched(Question asked, const Trace& trace, const Branch& branch, const Tokenizer* tokenizer)
{
    const Trace::Path path = trace.path(branch.leaf);
    const bool decoderOnly = trace.kind() == ModelKind::DecoderOnly;
    const int prompt = decoderOnly ? indexSize(trace.source()) - 1 : 0;
    if (decoderOnly && branch.step < prompt)
        cutPrompt(asked, trace.source(), branch.step + 1, tokenizer);
    std::vector<TokenId> prefix;
    for (int step = prompt; step < std::min(branch.step, indexSize(path)); ++step)
        prefix.push_back(path[step]->step.token);
    prefix.insert(prefix.end(), branch.tokens.begin(), branch.tokens.end());
    if (decoderOnly)
        asked.decoding.generate = std::max(asked.decoding.generate, indexSize(prefix) + 1);
    asked.prefixText.reset();
    asked.prefixIds = std::move(prefix);
    asked.targetText.reset();
    asked.targetIds.reset();
    return asked;
}

} // namespace attn
