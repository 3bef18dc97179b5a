// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/recording.h"
#include "models/recurrent.h"
#include "models/run_checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attn {

namespace {

using Recorded = RecurrentLayer::Recorded;

// A number for each of the runs that are recorded side by side.
std::vector<int> numbersFrom(int first, int count)
{
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

// log(exp a + exp b), element by element.
Variable recordLogSum(Tape& tape, Variable left, Variable right)
{
    Tensor sums = tape.value(left);
    std::ranges::transform(sums.values(), tape.value(right).values(), sums.data(),
                           [](float a, float b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); });
    const Variable self{tape.size()};
    return tape.made(std::move(sums), {left, right}, [&tape, left, right, self](BackwardPass& pass) {
        for (const Variable term : {left, right}) {
            for (int number = 0; number < pass.passes() && pass.reaches(term); ++number) {
                const auto sums = pass.into(term, number).values();
                for (std::size_t i = 0; i < sums.size(); ++i)
                    sums[i] += pass.gradient(number).values()[i]
                        * std::exp(tape.value(term).values()[i] - tape.value(self).values()[i]);
            }
        }
    });
}

// Weights of a row times a Gaussian around its centre, [1, 1], as LocalScope says.
Variable recordGaussian(Tape& tape, Variable weights, Variable center, int window)
{
    const double deviation = window / 2.0;
    const auto distance = [&tape, center, deviation](Index column) {
        return (column - double{tape.matrix(center).at(0, 0)}) / deviation;
    };
    Tensor narrowed = tape.value(weights);
    for (Index column = 0; column < narrowed.matrix().columns; ++column)
        narrowed.data()[column] *= static_cast<float>(std::exp(-distance(column) * distance(column) / 2));
    const Variable self{tape.size()};
    return tape.made(std::move(narrowed), {weights, center},
                     [&tape, weights, center, deviation, distance, self](BackwardPass& pass) {
                         for (int number = 0; number < pass.passes(); ++number) {
                             for (Index column = 0; column < tape.matrix(self).columns; ++column) {
                                 const double far = distance(column);
                                 const double gradient = pass.gradient(number).at(0, column);
                                 pass.into(weights, number).at(0, column) +=
                                     static_cast<float>(gradient * std::exp(-far * far / 2));
                                 if (pass.reaches(center))
                                     pass.into(center, number).at(0, 0) += static_cast<float>(
                                         gradient * tape.matrix(self).at(0, column) * far / deviation);
                             }
                         }
                     });
}

// A decoder at work on a tape, one input after the other.
class RecordedDecoder
{
public:
    RecordedDecoder(Tape& tape, const RecurrentModel& model, const RecordedInput& input, const RecordedEncoder& encoder,
                    std::vector<RecordedAttention>& attentions)
        : m_tape(tape)
        , m_config(model.config())
        , m_weights(model.weights())
        , m_edits(input.edits)
        , m_choice(input.choice)
        , m_points(input.points)
        , m_annotations(sideBySide(encoder.states))
        , m_attentions(attentions)
    {
        if (m_weights.attention)
            m_keys = m_weights.attention->recordKeys(tape, encoder.states, m_points);
        if (m_config.inputFeeding)
            m_fed = zeros(m_config.outputSize);
        start(encoder);
    }

    // Features that the output layer reads, [points, output size].
    Variable step(Variable embedded)
    {
        const bool isLuong = m_config.style == DecoderStyle::Luong;
        Variable context;
        if (isLuong) {
            runCells(m_config.inputFeeding ? m_tape.besides({embedded, m_fed}) : embedded);
            context = contextRow();
        } else {
            context = gated(contextRow());
            runCells(m_tape.besides({embedded, context}));
        }
        const Variable features = featuresOf(embedded, context);
        m_fed = features;
        ++m_step;
        return features;
    }

private:
    Variable zeros(int width) const { return m_tape.constant(Tensor({m_points, width})); }

    // Rows [time * points, width] with those of each point side by side, [time, points * width], and back.
    Variable sideBySide(Variable rows) const
    {
        const NumberView all = m_tape.matrix(rows);
        return m_points == 1 ? rows : m_tape.reshaped(all.rows / m_points, all.columns * m_points, rows);
    }
    Variable below(Variable row) const
    {
        return m_points == 1 ? row : m_tape.reshaped(m_points, m_tape.matrix(row).columns / m_points, row);
    }

    void start(const RecordedEncoder& encoder)
    {
        const auto sides = [&](const std::vector<Recorded>& finals, Variable Recorded::*part) {
            std::vector<Variable> parts;
            for (const Recorded& one : finals)
                parts.push_back(one.*part);
            return m_tape.besides(parts);
        };
        switch (m_config.initialState) {
        case InitialState::Mean:
            m_initial = below(m_tape.meanOfRows(m_annotations));
            break;
        case InitialState::FirstBackward:
            m_initial = encoder.finals.back().back().hidden;
            break;
        case InitialState::Last:
        case InitialState::Copy:
            m_initial = sides(encoder.finals.back(), &Recorded::hidden);
            break;
        }
        const bool isLstm = m_config.decoder.cell == Cell::Lstm;
        const int hidden = m_config.decoder.hidden;
        if (!m_weights.initial) {
            for (const std::vector<Recorded>& finals : encoder.finals)
                m_states.push_back(
                    {sides(finals, &Recorded::hidden), isLstm ? sides(finals, &Recorded::cell) : Variable()});
            return;
        }
        const auto rowOf = [&](const Linear& linear) {
            return m_tape.activated(Activation::Tanh, m_tape.linear(linear, m_initial));
        };
        const Variable row = rowOf(*m_weights.initial);
        const Variable cell = m_weights.initialCell ? rowOf(*m_weights.initialCell) : Variable();
        for (int layer = 0; layer < m_config.decoder.layers; ++layer)
            m_states.push_back({m_tape.columns(layer * hidden, hidden, row),
                                cell.exists() ? m_tape.columns(layer * hidden, hidden, cell) : zeros(hidden)});
    }

    void runCells(Variable input)
    {
        for (std::size_t layer = 0; layer < m_states.size(); ++layer) {
            const RecurrentLayer& weights = m_weights.decoder[layer];
            m_states[layer] = weights.record(m_tape, 0, weights.inputsOf(m_tape, 0, input), m_states[layer]);
            input = m_states[layer].hidden;
        }
    }

    // The context times sigmoid(W h + b) of the state before the step, where the model has such a gate.
    Variable gated(Variable context)
    {
        if (!m_weights.gate)
            return context;
        const Variable share =
            m_tape.activated(Activation::Sigmoid, m_tape.linear(*m_weights.gate, m_states.back().hidden));
        if (m_points == 1)
            m_attentions.back().share = m_tape.matrix(share).at(0, 0);
        const std::vector<Variable> everyColumn(m_tape.matrix(context).columns, share);
        return m_tape.product(context, m_tape.besides(everyColumn));
    }

    // The position that local attention looks around, [points, 1].
    Variable center(Variable query) const
    {
        const auto last = static_cast<float>(m_tape.matrix(m_annotations).rows - 1);
        if (m_config.scope == AttentionScope::LocalMonotonic)
            return m_tape.constant(
                {{m_points, 1}, NumberVector<float>(m_points, std::min(static_cast<float>(m_step), last))});
        const Variable hidden = m_tape.activated(Activation::Tanh, m_tape.linear(*m_weights.position, query));
        return m_tape.scaled(last, m_tape.activated(Activation::Sigmoid, m_tape.linear(*m_weights.positionV, hidden)));
    }

    Variable contextRow()
    {
        if (!m_weights.attention)
            return m_initial;
        const Variable query = m_states.back().hidden;
        Variable scores = m_weights.attention->recordScores(m_tape, query, m_keys);
        if (m_config.temporal) {
            const Variable before = m_scored;
            m_scored = before.exists() ? recordLogSum(m_tape, before, scores) : scores;
            if (before.exists())
                scores = m_tape.sum(scores, m_tape.scaled(-1, before));
        }
        return attended({{Stage::Cross, 0}, AttentionRows::Positions, 0, m_step, 1}, scores, m_annotations,
                        m_config.scope == AttentionScope::Global ? Variable() : center(query));
    }

    // Weights of each point, from scores [points, keys], and their sums of the values, [keys, points * width]; around:
    // of local attention.
    Variable attended(const AttentionCall& call, Variable scores, Variable values, Variable around = {})
    {
        std::vector<Variable> weights;
        std::vector<bool> masked;
        for (int point = 0; point < m_points; ++point) {
            const auto own = [&](Variable all) {
                return m_points > 1 && all.exists() ? m_tape.rows({point}, all) : all;
            };
            RecordedWeights recorded = recordPoint(call, own(scores), own(around));
            if (call.site.stage == Stage::Cross && !m_choice.empty())
                recorded.weights = m_tape.constant(Tensor::of(m_choice.rowRange(m_step, 1)));
            weights.push_back(recorded.weights);
            masked = std::move(recorded.masked);
        }
        const HeadShape shape{m_points, m_tape.matrix(values).columns / m_points};
        const Variable all = m_points == 1 ? weights.front() : m_tape.below(weights);
        const Variable sums = below(m_tape.weightedSums(shape, all, values));
        if (m_points == 1)
            m_attentions.push_back({call.site, shape, all, std::move(masked), values, sums, sums});
        return sums;
    }

    RecordedWeights recordPoint(AttentionCall call, Variable scores, Variable around) const
    {
        if (!around.exists())
            return recordWeights(m_tape, call, 1, m_edits, scores);
        const LocalScope local{
            {m_tape.matrix(around).at(0, 0)}, m_config.window, m_config.scope == AttentionScope::LocalPredictive};
        call.local = &local;
        const auto narrow = [&](Variable soft) { return recordGaussian(m_tape, soft, around, m_config.window); };
        return recordWeights(m_tape, call, 1, m_edits, scores,
                             local.gaussian ? std::function<Variable(Variable)>(narrow) : nullptr);
    }

    // The top state attends to those of the steps before.
    Variable intraRow()
    {
        const Variable state = m_states.back().hidden;
        m_pastStates.push_back(sideBySide(state));
        m_pastKeys.push_back(m_weights.intra->recordKeys(m_tape, state, m_points));
        const Variable scores = m_weights.intra->recordScores(m_tape, state, m_tape.below(m_pastKeys));
        const AttentionCall call{{Stage::Decoder, 0}, AttentionRows::Positions, 0, m_step, 1, Mask::Earlier};
        return attended(call, scores, m_tape.below(m_pastStates));
    }

    Variable featuresOf(Variable embedded, Variable context)
    {
        const Variable state = m_states.back().hidden;
        if (m_config.output == OutputKind::Deep) {
            Variable sum = m_tape.linear(m_weights.outputHidden, m_tape.besides({state, context}));
            if (m_config.outputEmbedding)
                sum = m_tape.sum(sum, embedded);
            return m_config.outputTanh ? m_tape.activated(Activation::Tanh, sum) : sum;
        }
        std::vector<Variable> joint{state, context, embedded};
        if (m_config.output == OutputKind::Attentional)
            joint = {context, state};
        if (m_weights.intra)
            joint.push_back(intraRow());
        const Variable hidden = m_tape.linear(m_weights.outputHidden, m_tape.besides(joint));
        return m_config.output == OutputKind::Maxout ? m_tape.largerOfPairs(hidden)
                                                     : m_tape.activated(Activation::Tanh, hidden);
    }

    Tape& m_tape;
    const RecurrentConfig& m_config;
    const RecurrentModelWeights& m_weights;
    const AttentionEdits* m_edits;
    NumberView m_choice; // rows of hard attention; empty of a soft one
    int m_points; // runs side by side
    Variable m_annotations; // [source, points * width]
    std::vector<RecordedAttention>& m_attentions; // of one run
    Variable m_initial; // z
    Variable m_keys; // none without attention
    Variable m_fed; // none without input feeding
    Variable m_scored; // logarithms of the sums of exponentials so far; none before the first step
    std::vector<Recorded> m_states; // of each layer
    std::vector<Variable> m_pastStates;
    std::vector<Variable> m_pastKeys;
    int m_step = 0;
};

} // namespace

RecordedEncoder recordEncoder(Tape& tape, const std::vector<RecurrentLayer>& layers, Variable input, int points)
{
    RecordedEncoder encoder{input, {}};
    for (const RecurrentLayer& layer : layers) {
        const int time = tape.matrix(encoder.states).rows / points;
        std::vector<Variable> sides;
        std::vector<Recorded> finals;
        for (int direction = 0; direction < layer.directions(); ++direction) {
            const Variable inputs = layer.inputsOf(tape, direction, encoder.states);
            const Variable zeros = tape.constant(Tensor({points, layer.hidden()}));
            Recorded state{zeros, zeros};
            std::vector<Variable> states(time);
            for (int step = 0; step < time; ++step) {
                const int at = direction == 0 ? step : time - 1 - step;
                state = layer.record(tape, direction, tape.rows(numbersFrom(at * points, points), inputs), state);
                states[at] = state.hidden;
            }
            sides.push_back(tape.below(states));
            finals.push_back(state);
        }
        encoder.states = sides.size() == 1 ? sides.front() : tape.besides(sides);
        encoder.finals.push_back(std::move(finals));
    }
    return encoder;
}

Recording RecurrentModel::record(Tape& tape, const RecordedInput& input) const
{
    if (m_config.mode == AttentionMode::Hard && input.choice.empty())
        throw Error(ErrorKind::Unsupported, m_info.family, "hard attention chooses one place: it has no gradient");
    checkInput({input.source, {}, input.media}, m_info);
    checkIds(input.target, m_info.targetVocabulary, "target");
    Recording recording;
    if (!input.sourceEmbeddings.empty())
        recording.source = tape.input(Tensor::of(input.sourceEmbeddings));
    else
        recording.source = tape.input(m_weights.pictures ? m_weights.pictures->run(tape.engine(), input.media, [] {})
                                                         : m_weights.sourceEmbedding->rows(input.source));
    recording.target = tape.input(m_weights.targetEmbedding.rows(input.target));
    const RecordedEncoder encoder = recordEncoder(tape, m_weights.encoder, recording.source, input.points);
    recording.points = input.points;
    recording.memory = encoder.states;
    RecordedDecoder decoder(tape, *this, input, encoder, recording.attentions);
    std::vector<Variable> outputs;
    for (Index row = 0; row < indexSize(input.target); ++row)
        outputs.push_back(decoder.step(tape.rows(std::vector<int>(input.points, row), recording.target)));
    recording.output = tape.below(outputs);
    return recording;
}

Variable RecurrentModel::recordLogits(Tape& tape, Variable rows, LogitCap /*cap*/) const
{
    return tape.linear(m_weights.output, rows);
}

} // namespace attn
