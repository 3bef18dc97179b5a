// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/explained_run.h"

#include "analysis/output_change.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/utf8.h"
#include "inference/run_edits.h"
#include "inference/source_input.h"
#include "loading/special_ids.h"
#include "models/run_checks.h"
#include "nn/normalization.h"
#include "readings/head_reading.h"
#include "text/word_pieces.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace attn {

namespace {

std::vector<int> firstNumbers(Index count)
{
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

// Rows of the output that a classifier of whole texts reads.
std::vector<int> rowsOfText(const ModelInfo& info, std::span<const TokenId> source)
{
    if (info.kind == ModelKind::EncoderOnly && info.architecture.form != Architecture::Form::Transformer)
        return {0}; // one vector of the text
    if (info.kind == ModelKind::EncoderOnly)
        return firstNumbers(indexSize(source));
    const Tensor rows({std::ssize(source), 1});
    return {static_cast<int>(taskRows(info, source, rows.matrix()).data - rows.data())};
}

// A column of numbers, [rows].
std::vector<float> columnOf(NumberView matrix, Index column)
{
    std::vector<float> values;
    for (Index row = 0; row < matrix.rows; ++row)
        values.push_back(matrix.at(row, column));
    return values;
}

Eigen::ArrayXd arrayOf(std::span<const float> logits)
{
    return Eigen::Map<const Eigen::ArrayXf>(logits.data(), std::ssize(logits)).cast<double>();
}

double logOfSum(const Eigen::ArrayXd& logits)
{
    const double most = logits.maxCoeff();
    return most + std::log((logits - most).exp().sum());
}

double logOfSoftmax(std::span<const float> logits, Index at)
{
    return logits[at] - logOfSum(arrayOf(logits));
}

// Adds the derivatives of logOfSoftmax(), `step` numbers apart.
void addSoftmaxSlopes(std::span<const float> logits, Index at, float* slopes, Index step)
{
    Eigen::ArrayXd derivatives = arrayOf(logits);
    derivatives = -(derivatives - logOfSum(derivatives)).exp();
    derivatives[at] += 1;
    for (Index i = 0; i < indexSize(logits); ++i)
        slopes[i * step] += static_cast<float>(derivatives[i]);
}

// Rows of the recording's output that the logits of these positions are made of, of each of its runs. Where there are
// several positions or runs, each is about one row, whose logits depend on no other row.
std::vector<int> rowsOfOutputs(std::span<const ExplainedOutput> outputs, int points)
{
    std::vector<int> rows;
    for (const ExplainedOutput& output : outputs) {
        for (const int row : output.rows) {
            for (int point = 0; point < points; ++point)
                rows.push_back(row * points + point);
        }
    }
    return rows;
}

// The part of one of so many, of the numbers of all their rows.
template<class View>
View ownRows(std::size_t count, std::size_t number, View all)
{
    return count == 1 ? all : all.rowRange(static_cast<Index>(number), 1);
}

} // namespace

ExplainedRun::ExplainedRun(const LoadedModel& model, const Question& question, const Trace& run, ReadingOptions options,
                           Engine& engine, std::stop_token stop)
    : m_model(model)
    , m_question(question)
    , m_run(run)
    , m_options(std::move(options))
    , m_engine(engine)
    , m_stop(std::move(stop))
    , m_source(info().kind == ModelKind::DecoderOnly ? run.sequence().ids : run.source().ids)
{
    if (info().kind == ModelKind::EncoderDecoder)
        m_inputs = info().predictsTokens || comparesTexts() ? run.decoderInputs().ids : readInputs(info(), m_source);
    const RunEdits edits(question.edits);
    m_edits.assign(edits.edits().begin(), edits.edits().end());
    m_attentionEdits = editsOf({});
    if (info().task != TaskHead::None)
        explainLabels();
    else
        explainTokens();
    choose();
}

ClassReading ExplainedRun::reading() const
{
    if (comparesTexts())
        return ClassReading::Value;
    return info().task == TaskHead::None ? ClassReading::OneOf : info().reading;
}

AttentionEdits ExplainedRun::editsOf(std::span<const Edit> further) const
{
    std::vector<Edit> all = m_edits;
    all.insert(all.end(), further.begin(), further.end());
    return {all, editExtent(info()).maps};
}

void ExplainedRun::explainLabels()
{
    if (const auto& found = m_run.classification()) {
        const std::vector<int> rows = rowsOfText(info(), m_source);
        for (int label = 0; label < indexSize(found->logits); ++label)
            m_every.push_back({label, rows, label});
        return;
    }
    const auto& predictions = m_run.tokenPredictions();
    if (!predictions) {
        m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "the run has no output");
        return;
    }
    if (predictions->task == TaskHead::Span) {
        if (const auto span = bestSpan(*predictions, m_run.source()))
            m_every.push_back({0, firstNumbers(predictions->logits.rows), span->first, span->last});
        else
            m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "no tokens can be the answer");
        return;
    }
    for (Index token = 0; token < predictions->logits.rows; ++token)
        m_every.push_back({token, {token}, predictions->ofToken(token).best()});
}

void ExplainedRun::explainTokens()
{
    if (comparesTexts()) {
        if (m_inputs.empty())
            m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "no text is beside the picture");
        else
            m_every.push_back({0, {0}, 0}); // the similarity
    } else if (info().kind == ModelKind::EncoderOnly && !info().predictsMasked) {
        m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "the model has no head that says what is probable");
    } else if (info().kind == ModelKind::EncoderOnly) {
        const auto mask = sourceIdNamed(m_model, "mask");
        for (Index token = 0; token < indexSize(m_source); ++token) {
            const auto& candidates = m_run.predictions().at(token)->prediction.candidates;
            const bool isMasked = mask == m_source[token] && !candidates.empty();
            m_every.push_back({token, {token}, isMasked ? candidates.front().token : m_source[token]});
        }
    } else if (!info().predictsTokens) {
        m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "the model has no head that says what is probable");
    } else if (info().kind == ModelKind::DecoderOnly) {
        for (Index token = 1; token < indexSize(m_source); ++token)
            m_every.push_back({token, {token - 1}, m_source[token]});
    } else {
        const std::vector<TokenId> target = m_run.target().ids;
        for (Index token = 0; token < indexSize(target); ++token)
            m_every.push_back({token, {token}, target[token]});
    }
    if (m_every.empty() && m_nothing.empty())
        m_nothing = ATTN_TRANSLATE_NOOP("attn::ui", "the run has no output");
}

// Chooses the position that is explained, and the token against it.
void ExplainedRun::choose()
{
    if (m_options.baseline && info().input != InputKind::Text)
        throw ReadingOptionError("baseline", "a place of a picture or a sound is no token", "leave it out");
    const Index vocabulary = info().kind == ModelKind::DecoderOnly ? info().targetVocabulary : info().sourceVocabulary;
    if (m_options.baseline && (*m_options.baseline < 0 || *m_options.baseline >= vocabulary))
        throw ReadingOptionError(
            "baseline",
            fmt::format("{} is no token of the model, which has 0 to {}", *m_options.baseline, vocabulary - 1));
    const bool isAsked = m_options.of || m_options.ofAll || m_options.against;
    if (!m_nothing.empty()) {
        if (isAsked)
            throw ReadingOptionError(m_options.against ? "against" : "of", m_nothing, "leave it out");
        return;
    }
    const bool hasOne = m_run.classification() || comparesTexts() || m_every.front().spanEnd >= 0;
    if (m_options.ofAll && hasOne)
        throw ReadingOptionError("of", "'all' is not defined for one answer about the whole text",
                                 "leave it out, or name a label by its number");
    if (m_options.of && m_every.front().spanEnd >= 0)
        throw ReadingOptionError("of", "the answer is a span: it has no positions", "leave it out");
    if (m_options.ofAll) {
        m_explained = m_every;
    } else if (m_options.of) {
        const auto found = std::ranges::find(m_every, *m_options.of, &ExplainedOutput::position);
        if (found == m_every.end())
            throw ReadingOptionError("of",
                                     fmt::format("{} is no {} of the output, which has {} to {}", *m_options.of,
                                                 m_run.classification() ? "label" : "position",
                                                 m_every.front().position, m_every.back().position));
        m_explained = {*found};
    } else if (m_run.classification()) {
        m_explained = {m_every.at(m_run.classification()->best())};
    } else if (info().kind == ModelKind::EncoderOnly) {
        const auto masked = std::ranges::find(m_source, sourceIdNamed(m_model, "mask").value_or(noTokenId));
        m_explained = {m_every.at(masked == m_source.end() || hasOne ? 0 : masked - m_source.begin())};
    } else {
        m_explained = {m_every.back()};
    }
    if (m_run.classification())
        m_every = m_explained;
    if (!m_options.against)
        return;
    for (ExplainedOutput& output : m_every)
        output.against = againstColumn(output);
    for (ExplainedOutput& output : m_explained) {
        output.against = againstColumn(output);
        if (output.against == output.answer && !m_options.ofAll)
            throw ReadingOptionError(
                "against", fmt::format("{} is what stands at position {} itself", *m_options.against, output.position),
                "name another one");
    }
}

int ExplainedRun::againstColumn(const ExplainedOutput& output) const
{
    if (comparesTexts())
        throw ReadingOptionError("against", "the similarity is one number", "leave it out");
    if (output.spanEnd >= 0)
        throw ReadingOptionError("against", "the answer is a span, not one of several", "leave it out");
    constexpr std::string_view wordMark = "word:";
    const std::string& text = *m_options.against;
    const bool isLabel = info().task != TaskHead::None;
    const Index count = isLabel                 ? indexSize(info().labels)
        : info().kind == ModelKind::EncoderOnly ? info().sourceVocabulary
                                                : info().targetVocabulary;
    if (!text.starts_with(wordMark)) {
        const auto id = parsedNumber<int>(text);
        if (!id)
            throw ReadingOptionError("against", fmt::format("'{}' is neither an id nor word:TEXT", text));
        if (*id < 0 || *id >= count)
            throw ReadingOptionError("against",
                                     fmt::format("{} is no {} of the model, which has 0 to {}", *id,
                                                 isLabel ? "label" : "token", count - 1));
        return *id;
    }
    const auto& tokenizers = m_model.tokenizers;
    const auto& tokenizer = info().kind == ModelKind::EncoderDecoder ? tokenizers.target : tokenizers.source;
    if (isLabel || !tokenizer)
        throw ReadingOptionError("against", isLabel ? "labels are named by their number" : "the model has no words",
                                 "write an id");
    const auto [ids, pieces] = wordPieces(*tokenizer, text.substr(wordMark.size()), Joint::Blank);
    if (ids.size() != 1)
        throw ReadingOptionError("against",
                                 fmt::format("the word is {} tokens: {}", ids.size(), fmt::join(pieces, " ")),
                                 "choose a word that is one token, or write an id");
    return ids.front();
}

Source ExplainedRun::input() const
{
    return {m_source, m_run.source().segments, inputOf(m_run.media().get())};
}

RecordedInput ExplainedRun::recordedInput() const
{
    constexpr Index longInput = 256;
    const Source read = input();
    return {.source = read.ids,
            .segments = read.segments,
            .target = m_inputs,
            .positions = !m_question.withoutPositions,
            .edits = m_attentionEdits.empty() ? nullptr : &m_attentionEdits,
            .media = read.input,
            .endsOnly = std::max(indexSize(m_source), indexSize(m_inputs)) > longInput};
}

const ExplainedRun::Recorded& ExplainedRun::made(Recorded& recorded, bool endsOnly) const
{
    if (!recorded.tape) {
        auto tape = std::make_unique<Tape>(m_engine, m_stop);
        RecordedInput input = recordedInput();
        input.endsOnly = endsOnly;
        Numbers choice;
        if (info().hardAttention)
            choice = readWeights(m_run, {{Stage::Cross, 0}, HeadReading(0)});
        input.choice = choice.view();
        recorded.recording = model().record(*tape, input);
        recorded.tape = std::move(tape);
    }
    return recorded;
}

const Recording& ExplainedRun::recording()
{
    return made(m_whole, false).recording;
}

const Tape& ExplainedRun::tape()
{
    return *made(m_whole, false).tape;
}

const ExplainedRun::Recorded& ExplainedRun::ends()
{
    return recordedInput().endsOnly && !m_whole.tape ? made(m_ends, true) : made(m_whole, false);
}

std::vector<Tensor> ExplainedRun::gradients(std::span<const ExplainedOutput> outputs, std::span<const Variable> wanted,
                                            Explained what, BackwardRule rule)
{
    const auto& [tape, recorded] = made(m_whole, false);
    return gradients(*tape, recorded, outputs, wanted, what, rule);
}

std::vector<Tensor> ExplainedRun::gradients(Tape& tape, const Recording& recording,
                                            std::span<const ExplainedOutput> outputs, std::span<const Variable> wanted,
                                            Explained what, BackwardRule rule) const
{
    const NumberView last = tape.matrix(recording.output);
    constexpr Index rowsTogether = 1024;
    const auto together = static_cast<std::size_t>(std::max(1, rowsTogether / last.rows)); // positions at once
    std::vector<NumberVector<float>> found(wanted.size());
    for (std::size_t first = 0; first < outputs.size(); first += together) {
        const auto some = outputs.subspan(first, std::min(together, outputs.size() - first));
        const int size = tape.size();
        const std::size_t count = some.size() * static_cast<std::size_t>(recording.points);
        const std::vector<Variable> rows{tape.rows(rowsOfOutputs(some, recording.points), recording.output)};
        const Variable logits = model().recordLogits(
            tape, rows.front(), rule == BackwardRule::Residual ? LogitCap::LeftOut : LogitCap::Applied);
        Tensor ofLogits = Tensor::unset(tape.value(logits).shape());
        for (std::size_t i = 0; i < count; ++i)
            copyRows(slopes(some[i / recording.points], ownRows(count, i, tape.matrix(logits)), what).matrix(),
                     ownRows(count, i, ofLogits.matrix()));
        const Tensor ofRows = std::move(tape.backward(logits, std::move(ofLogits), rows, rule).front());
        tape.cut(size);
        Tensor seeds({std::ssize(some) * last.rows, last.columns});
        Index next = 0;
        for (std::size_t i = 0; i < some.size(); ++i) {
            for (const int row : rowsOfOutputs(some.subspan(i, 1), recording.points))
                std::ranges::copy(ofRows.matrix().row(next++),
                                  seeds.matrix().row(static_cast<Index>(i) * last.rows + row).begin());
        }
        const std::vector<Tensor> gradients = tape.backward(recording.output, std::move(seeds), wanted, rule);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            found[i].insert(found[i].end(), gradients[i].values().begin(), gradients[i].values().end());
    }
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const NumberView one = tape.matrix(wanted[i]);
        result.emplace_back(Shape{std::ssize(outputs) * one.rows, one.columns}, std::move(found[i]));
    }
    return result;
}

void ExplainedRun::weightGradients(const WeightGradient& use)
{
    const WeightGradient ofSeen = [&use](const Tape& tape, const RecordedAttention& attention, Tensor gradient) {
        for (std::size_t cell = 0; cell < attention.masked.size(); ++cell)
            gradient.data()[cell] = attention.masked[cell] ? 0.0F : gradient.data()[cell];
        use(tape, attention, std::move(gradient));
    };
    RecordedInput input = recordedInput();
    std::vector<Variable> wanted;
    if (input.endsOnly && !m_whole.tape && info().architecture.form == Architecture::Form::Transformer) {
        input.watch = &ofSeen;
        Tape tape(m_engine, m_stop);
        const Recording ends = model().record(tape, input);
        wanted.push_back(ends.source);
        if (ends.target.exists())
            wanted.push_back(ends.target);
        (void)gradients(tape, ends, m_explained, wanted, Explained::LogProbability, BackwardRule::Gradient);
        return;
    }
    for (const RecordedAttention& attention : recording().attentions)
        wanted.push_back(attention.weights);
    std::vector<Tensor> found = gradients(m_explained, wanted, Explained::LogProbability);
    for (std::size_t i = 0; i < found.size(); ++i)
        ofSeen(tape(), recording().attentions[i], std::move(found[i]));
}

std::vector<double> ExplainedRun::values(Tape& tape, const Recording& recording,
                                         std::span<const ExplainedOutput> outputs, Explained what) const
{
    std::vector<double> result;
    const int size = tape.size();
    const Variable rows = tape.rows(rowsOfOutputs(outputs, recording.points), recording.output);
    const NumberView logits = tape.matrix(model().recordLogits(tape, rows, LogitCap::Applied));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        result.push_back(value(outputs[i], ownRows(outputs.size(), i, logits), what));
    tape.cut(size);
    return result;
}

double ExplainedRun::logitBeforeCap(const ExplainedOutput& output)
{
    const auto& [tape, recorded] = made(m_whole, false);
    const int size = tape->size();
    const Variable rows = tape->rows(output.rows, recorded.output);
    const Variable logits = model().recordLogits(*tape, rows, LogitCap::LeftOut);
    const double logit = value(output, tape->matrix(logits), Explained::Logit);
    tape->cut(size);
    return logit;
}

double ExplainedRun::value(const ExplainedOutput& output, NumberView logits, Explained what) const
{
    if (output.spanEnd >= 0) {
        const std::vector<float> starts = columnOf(logits, 0);
        const std::vector<float> ends = columnOf(logits, 1);
        return what == Explained::Logit ? double{starts[output.answer]} + ends[output.spanEnd]
                                        : logOfSoftmax(starts, output.answer) + logOfSoftmax(ends, output.spanEnd);
    }
    const auto row = logits.row(0);
    if (output.against)
        return double{row[output.answer]} - row[*output.against];
    if (what == Explained::Logit || reading() == ClassReading::Value)
        return row[output.answer];
    if (reading() == ClassReading::AnyOf)
        return -std::log1p(std::exp(-double{row[output.answer]}));
    return logOfSoftmax(row, output.answer);
}

// Derivatives of value(), as large as the logits.
Tensor ExplainedRun::slopes(const ExplainedOutput& output, NumberView logits, Explained what) const
{
    Tensor result({logits.rows, logits.columns});
    const MutableView slopes = result.matrix();
    if (output.spanEnd >= 0) {
        if (what == Explained::Logit) {
            slopes.at(output.answer, 0) += 1;
            slopes.at(output.spanEnd, 1) += 1;
            return result;
        }
        addSoftmaxSlopes(columnOf(logits, 0), output.answer, slopes.data, logits.columns);
        addSoftmaxSlopes(columnOf(logits, 1), output.spanEnd, slopes.data + 1, logits.columns);
        return result;
    }
    float& own = slopes.at(0, output.answer);
    if (output.against) {
        own += 1;
        slopes.at(0, *output.against) -= 1;
    } else if (what == Explained::Logit || reading() == ClassReading::Value) {
        own = 1;
    } else if (reading() == ClassReading::AnyOf) {
        own = static_cast<float>(1 / (1 + std::exp(double{logits.at(0, output.answer)})));
    } else {
        addSoftmaxSlopes(logits.row(0), output.answer, slopes.data, 1);
    }
    return result;
}

ExplainedRun::FurtherLogits ExplainedRun::logitsOf(const Source& read, std::span<const Edit> further, Index changed)
{
    const AttentionEdits edits = editsOf(further);
    QuietSink quiet;
    RunContext context{m_engine, quiet, {.attention = false}, m_stop, !m_question.withoutPositions};
    context.edits = edits.empty() ? nullptr : &edits;
    if (info().kind == ModelKind::DecoderOnly) {
        auto state = m_read && changed > 0 ? m_read->upTo(changed, context) : nullptr;
        const Index first = state ? changed : 0;
        if (!state)
            state = model().start(nullptr, context);
        state->extend(read.ids.subspan(static_cast<std::size_t>(first)), context);
        Tensor logits = Tensor::of(state->logits());
        if (further.empty() && std::ranges::equal(read.ids, m_source))
            m_read = std::move(state);
        return {first, std::move(logits)};
    }
    auto encoded = model().encode(read, context);
    if (info().kind == ModelKind::EncoderOnly)
        return {0,
                info().task == TaskHead::None ? model().predictMasked(*encoded, context)
                                              : model().classify(*encoded, context)};
    if (comparesTexts())
        return {0, {{1, 1}, {model().match(*encoded, m_inputs, context).similarity.value()}}};
    const auto state = model().start(std::move(encoded), context);
    state->extend(m_inputs, context);
    return {0, Tensor::of(state->logits())};
}

double ExplainedRun::value(const ExplainedOutput& output, const FurtherLogits& logits, Explained what) const
{
    const NumberView all = logits.values.matrix();
    const bool isOne = output.rows.size() == 1 && all.rows > 1; // else the logits are of all the rows together
    return value(output, isOne ? all.rowRange(output.rows.front() - logits.firstRow, 1) : all, what);
}

} // namespace attn
