// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recording.h"
#include "models/run_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace attn {

Variable recordPerceptron(Tape& tape, const Perceptron& layer, Variable input)
{
    if (layer.clamped) {
        const float limit = layer.clamped->limit;
        const float slope = layer.clamped->slope;
        const Variable gates =
            tape.clamped(-std::numeric_limits<float>::infinity(), limit, tape.linear(*layer.gate, input));
        const Variable hidden = tape.shifted(1, tape.clamped(-limit, limit, tape.linear(layer.first, input)));
        const Variable open = tape.scaled(1 / slope, tape.activated(Activation::Swish, tape.scaled(slope, gates)));
        return tape.linear(layer.second, tape.product(hidden, open));
    }
    Variable hidden = tape.activated(layer.activation, tape.linear(layer.gate ? *layer.gate : layer.first, input));
    if (layer.gate)
        hidden = tape.product(hidden, tape.linear(layer.first, input));
    return tape.linear(layer.second, hidden);
}

namespace {

// x + scale output(block(input(x))), as Residual says.
Variable recordResidual(Tape& tape, const Residual& residual, Variable rows,
                        const std::function<Variable(Variable input)>& block)
{
    const Variable input = residual.input ? tape.normalized(*residual.input, rows) : rows;
    Variable made = block(tape.branch(input));
    if (residual.output)
        made = tape.normalized(*residual.output, made);
    if (residual.featureScales) {
        const NumberView scales(residual.featureScales->data(), 1, tape.matrix(made).columns);
        std::vector<int> everyRow(tape.matrix(made).rows, 0);
        made = tape.product(made, tape.rows(std::move(everyRow), tape.constant(Tensor::of(scales))));
    }
    const Variable sum = tape.sum(residual.passesNormed ? input : rows, tape.scaled(residual.scale, made));
    return residual.sum ? tape.normalized(*residual.sum, sum) : sum;
}

// Numbers that a row's shares are made of, by expert: its probability, or of SoftmaxOfChosen that among the chosen.
std::vector<double> expertParts(const Routing& routing, std::span<const float> scores, std::span<const int> chosen)
{
    std::vector<double> parts(scores.size(), 0);
    const auto take = [&](auto&& ids, auto function) {
        for (const int id : ids)
            parts[id] = function(double{scores[id]});
    };
    std::vector<int> all(scores.size());
    std::iota(all.begin(), all.end(), 0);
    if (routing.scores == Routing::Scores::Sigmoid) {
        take(all, [](double score) { return 1 / (1 + std::exp(-score)); });
        return parts;
    }
    const double most = *std::ranges::max_element(scores);
    const auto exponential = [most](double score) { return std::exp(score - most); };
    if (routing.scores == Routing::Scores::SoftmaxOfChosen)
        take(chosen, exponential);
    else
        take(all, exponential);
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::ranges::transform(parts, parts.begin(), [sum](double part) { return part / sum; });
    return parts;
}

// Adds to the gradient of what a router says of a row that of the chosen experts' shares.
void addShareGradient(const Routing& routing, std::span<const float> scores, std::span<const int> chosen,
                      std::span<const float> gradient, std::span<float> sums)
{
    const std::vector<double> parts = expertParts(routing, scores, chosen);
    double total = 1; // what the parts of the chosen are divided by
    double mean = 0; // gradient of a chosen expert's part
    if (routing.normalized) {
        total = std::accumulate(chosen.begin(), chosen.end(), 0.0, [&](double sum, int id) { return sum + parts[id]; });
        for (std::size_t place = 0; place < chosen.size(); ++place)
            mean += gradient[place] * parts[chosen[place]] / total;
    }
    std::vector<double> slopes(parts.size(), 0);
    for (std::size_t place = 0; place < chosen.size(); ++place)
        slopes[chosen[place]] = routing.scale * (gradient[place] - mean) / total;
    const double expected = std::inner_product(parts.begin(), parts.end(), slopes.begin(), 0.0);
    const bool isSigmoid = routing.scores == Routing::Scores::Sigmoid;
    for (std::size_t id = 0; id < parts.size(); ++id)
        sums[id] += static_cast<float>(parts[id] * (isSigmoid ? (1 - parts[id]) * slopes[id] : slopes[id] - expected));
}

// The shares of the chosen experts, [rows, chosen]; which are chosen is a constant.
Variable recordShares(Tape& tape, const Routing& routing, const Routed& routed, Variable said)
{
    return tape.made(routed.weights, {said}, [&tape, &routing, ids = routed.ids, said](BackwardPass& pass) {
        for (int number = 0; number < pass.passes() && pass.rule() != BackwardRule::Relevance; ++number) {
            const NumberView gradient = pass.gradient(number);
            for (Index row = 0; row < gradient.rows; ++row)
                addShareGradient(routing, tape.matrix(said).row(row),
                                 std::span(ids).subspan(std::size_t(row) * gradient.columns, gradient.columns),
                                 gradient.row(row), pass.into(said, number).row(row));
        }
    });
}

Variable recordExperts(Tape& tape, const Experts& experts, Variable input)
{
    const Variable said = tape.linear(experts.router, input);
    const Routed routed = experts.choose(tape.engine(), tape.matrix(input));
    const Index chosen = routed.weights.matrix().columns;
    const Variable shares = tape.reshaped(indexSize(routed.ids), 1, recordShares(tape, experts.routing, routed, said));
    Variable sums = tape.constant(Tensor(tape.value(input).shape()));
    for (int expert = 0; expert < indexSize(experts.each); ++expert) {
        std::vector<int> rows; // that it works on
        std::vector<int> places; // of its shares
        for (Index place = 0; place < indexSize(routed.ids); ++place) {
            if (routed.ids[place] == expert) {
                rows.push_back(place / chosen);
                places.push_back(place);
            }
        }
        if (rows.empty())
            continue;
        const Variable made = recordPerceptron(tape, experts.each[expert], tape.rows(rows, input));
        sums = tape.rowsAdded(sums, std::move(rows), tape.rows(std::move(places), shares), made);
    }
    return sums;
}

Variable recordFeedForward(Tape& tape, const FeedForward& layer, Variable input)
{
    if (!layer.experts)
        return recordPerceptron(tape, *layer.dense, input);
    const Variable made = recordExperts(tape, *layer.experts, input);
    return layer.dense ? tape.sum(made, recordPerceptron(tape, *layer.dense, input)) : made;
}

// Surroundings of a layer that is recorded.
struct LayerCall
{
    const RecordedInput& input;
    Stage stage = Stage::Encoder;
    Mask mask = Mask::None;
    int layer = 0;
    Variable memory = {}; // of cross attention
    // Attentions of the layer whose sums are known.
    std::vector<std::pair<const RecordedAttention*, Variable>> sums = {};
};

RecordedAttention recordAttention(Tape& tape, const LayerCall& call, const MultiHeadAttention& attention, Stage stage,
                                  Variable input)
{
    const Site site{stage, call.layer};
    for (const auto& [known, sums] : call.sums) {
        if (known->site != site)
            continue;
        RecordedAttention recorded;
        recorded.output = tape.linear(*known->projection, sums);
        return recorded;
    }
    const bool crosses = stage == Stage::Cross;
    return attention.record(tape, {call.input.positions, call.input.edits}, site, crosses ? Mask::None : call.mask,
                            input, crosses ? call.memory : input);
}

// The rows after a layer; its attentions are added to `attentions`.
RecordedLayer recordLayer(Tape& tape, const LayerCall& call, const TransformerLayer& layer, Variable rows,
                          std::vector<RecordedAttention>& attentions)
{
    RecordedLayer recorded{.stage = call.stage, .mask = call.mask, .layer = call.layer, .before = rows};
    const auto attend = [&](const AttentionBlockLayer& block, Stage stage, Variable input) {
        attentions.push_back(recordAttention(tape, call, block.attention, stage, input));
        return attentions.back().output;
    };
    const auto feed = [&](Variable input) {
        recorded.feedForward = recordFeedForward(tape, layer.feedForward, input);
        return recorded.feedForward;
    };
    if (layer.parallel) {
        const auto read = [&](const std::optional<Norm>& norm) { return norm ? tape.normalized(*norm, rows) : rows; };
        const Variable input = read(layer.self.residual.input);
        const Variable own = layer.feedForward.residual.input ? read(layer.feedForward.residual.input) : input;
        const Variable attended = tape.sum(rows, attend(layer.self, call.stage, tape.branch(input)));
        recorded.after = tape.sum(attended, feed(tape.branch(own)));
        return recorded;
    }
    rows = recordResidual(tape, layer.self.residual, rows,
                          [&](Variable input) { return attend(layer.self, call.stage, input); });
    if (layer.cross)
        rows = recordResidual(tape, layer.cross->residual, rows,
                              [&](Variable input) { return attend(*layer.cross, Stage::Cross, input); });
    recorded.after = recordResidual(tape, layer.feedForward.residual, rows, feed);
    return recorded;
}

// Rows that enter the first layer of a stack, from the scaled embeddings of its tokens.
Variable recordInput(Tape& tape, const TokenInput& input, const Source& source, bool positions, Variable embedded)
{
    Variable rows = embedded;
    if (input.dropped) {
        constexpr float trainedShare = 0.12F;
        std::vector<int> kept(source.ids.size());
        std::iota(kept.begin(), kept.end(), 0);
        for (Index row = 0; row < indexSize(kept); ++row)
            kept[row] = source.ids[row] == *input.dropped ? -1 : row;
        const auto masks = std::ranges::count(kept, -1);
        const float share = 1.0F - static_cast<float>(masks) / static_cast<float>(kept.size());
        rows = tape.scaled(share > 0 ? (1.0F - trainedShare) / share : 1.0F, tape.rows(std::move(kept), rows));
    }
    const auto addPositions = [&] {
        if (positions && input.positions.kind != AddedPositions::None)
            rows = tape.sum(rows, tape.constant(input.positions.rows(input.positions.numbers(source.ids, 0))));
    };
    if (!input.positionsLast)
        addPositions();
    if (const auto added = input.besidesTokens(tape.engine(), source))
        rows = tape.sum(rows, tape.constant(*added));
    if (input.norm)
        rows = tape.normalized(*input.norm, rows);
    if (input.projection)
        rows = tape.linear(*input.projection, rows);
    if (input.positionsLast)
        addPositions();
    return rows;
}

// Likewise from the places of a picture or a sound.
Variable recordMedia(Tape& tape, const MediaInput& media, NumberView input, bool positions, Variable embedded)
{
    Variable rows = embedded;
    if (positions)
        rows = tape.sum(rows, tape.constant(media.positions(input)));
    return media.norm() ? tape.normalized(*media.norm(), rows) : rows;
}

// The row that a head reads which classifies the whole input.
Variable recordPooled(Tape& tape, Variable rows, Pooling pooling, int specials)
{
    const Variable first = tape.rows({0}, rows);
    switch (pooling) {
    case Pooling::First:
        return first;
    case Pooling::Mean:
        return tape.meanOfRows(rows);
    case Pooling::FirstTwo:
        return tape.besides({first, tape.rows({1}, rows)});
    case Pooling::FirstAndMean:
        break;
    }
    std::vector<int> patches(tape.matrix(rows).rows - specials);
    std::iota(patches.begin(), patches.end(), specials);
    return tape.besides({first, tape.meanOfRows(tape.rows(std::move(patches), rows))});
}

Variable recordBeside(Tape& tape, const ConvolutionBeside& beside, Variable input, Variable rows)
{
    const int count = tape.matrix(input).rows;
    std::vector<Variable> around;
    for (int part = 0; part < beside.size; ++part) {
        std::vector<int> from(count);
        for (int row = 0; row < count; ++row) {
            const int wanted = row + part - beside.size / 2;
            from[row] = wanted >= 0 && wanted < count ? wanted : -1;
        }
        around.push_back(tape.rows(std::move(from), input));
    }
    const Variable made = tape.activated(beside.activation, tape.linear(beside.kernel, tape.besides(around)));
    return tape.normalized(beside.norm, tape.sum(rows, made));
}

// The layers of a stack from call.layer on, without `end`; their attentions, layers and states are added.
Variable recordLayers(Tape& tape, LayerCall call, const TransformerStack& stack, int end, Variable rows,
                      Recording& recording, std::vector<Variable>& states)
{
    for (; call.layer < end; ++call.layer) {
        RecordedLayer recorded = recordLayer(tape, call, stack.layer(call.layer), rows, recording.attentions);
        recorded.stack = &stack;
        if (call.layer == 0 && stack.beside)
            recorded.after = recordBeside(tape, *stack.beside, rows, recorded.after);
        rows = recorded.after;
        recording.layers.push_back(recorded);
        if (call.layer + 1 == stack.depth() && stack.finalNorm)
            rows = tape.normalized(*stack.finalNorm, rows);
        if ((call.layer + 1) % stack.layersOfState == 0)
            states.push_back(rows);
    }
    return rows;
}

// The rows after all layers of a stack, of which what enters each is kept: all else of a layer is many times as large.
Variable remakeLayers(Tape& tape, const LayerCall& call, const TransformerStack& stack, Variable rows)
{
    for (int layer = 0; layer < stack.depth(); ++layer) {
        std::vector<Variable> of{rows};
        if (call.memory.exists())
            of.push_back(call.memory);
        const auto segment = [layer, input = call.input, stage = call.stage, mask = call.mask,
                              &stack](Tape& own, const std::vector<Variable>& inputs) {
            const Variable memory = inputs.size() > 1 ? inputs[1] : Variable();
            Recording some;
            Tape::Remade made{
                recordLayers(own, {input, stage, mask, layer, memory}, stack, layer + 1, inputs[0], some, some.states)};
            if (input.watch == nullptr)
                return made;
            std::ranges::transform(some.attentions, std::back_inserter(made.watched), &RecordedAttention::weights);
            made.watch = [watch = input.watch, attentions = std::move(some.attentions)](const Tape& tape,
                                                                                        std::span<Tensor> gradients) {
                for (std::size_t i = 0; i < attentions.size(); ++i)
                    (*watch)(tape, attentions[i], std::move(gradients[i]));
            };
            return made;
        };
        rows = tape.remade(of, segment);
    }
    return rows;
}

} // namespace

RecordedStack recordStack(Tape& tape, const RecordedInput& input, const TransformerStack& stack, Stage stage, Mask mask,
                          const Source& source, NumberView embeddings, Recording& recording)
{
    RecordedStack result;
    if (!embeddings.empty())
        result.embedded = tape.input(Tensor::of(embeddings));
    else
        result.embedded = tape.input(stack.media ? stack.media->embedded(tape.engine(), source.input)
                                                 : stack.input.tokens->rows(source.ids, stack.input.scale));
    result.rows = stack.media ? recordMedia(tape, *stack.media, source.input, input.positions, result.embedded)
                              : recordInput(tape, stack.input, source, input.positions, result.embedded);
    result.states.push_back(result.rows);
    const LayerCall call{input, stage, mask, 0, recording.memory};
    result.rows = input.endsOnly
        ? remakeLayers(tape, call, stack, result.rows)
        : recordLayers(tape, call, stack, stack.depth(), result.rows, recording, result.states);
    return result;
}

Recording Transformer::record(Tape& tape, const RecordedInput& input) const
{
    Recording recording;
    if (m_parts.encoder) {
        const Source source(input.source, input.segments, input.media);
        checkInput(source, m_info);
        RecordedStack encoded = recordStack(tape, input, *m_parts.encoder, Stage::Encoder, Mask::None, source,
                                            input.sourceEmbeddings, recording);
        recording.source = encoded.embedded;
        recording.states = std::move(encoded.states);
        recording.memory = m_parts.bridge ? tape.linear(*m_parts.bridge, encoded.rows) : encoded.rows;
        recording.output = recording.memory;
    }
    if (m_parts.decoder) {
        const bool alone = !m_parts.encoder;
        const std::span<const TokenId> ids = alone ? input.source : input.target;
        checkIds(ids, m_info.targetVocabulary, "target");
        checkTargetLength(indexSize(ids), m_info);
        RecordedStack decoded = recordStack(tape, input, *m_parts.decoder, Stage::Decoder, Mask::Causal, ids,
                                            alone ? input.sourceEmbeddings : NumberView(), recording);
        (alone ? recording.source : recording.target) = decoded.embedded;
        recording.states = std::move(decoded.states);
        recording.output = decoded.rows;
    }
    return recording;
}

Variable Transformer::recordLogits(Tape& tape, Variable rows, LogitCap cap) const
{
    const OutputHead& head = *m_parts.head;
    if (m_info.task == TaskHead::Text && m_info.kind == ModelKind::EncoderOnly)
        rows = recordPooled(tape, rows, m_parts.pooling, indexSize(m_info.patches.specials));
    if (head.transform)
        rows = tape.linear(*head.transform, rows);
    if (head.transform && head.activation)
        rows = tape.activated(*head.activation, rows);
    if (head.norm)
        rows = tape.normalized(*head.norm, rows);
    const Variable logits = tape.linear(head.logits, tape.scaled(head.scale, rows));
    return head.cap > 0 && cap == LogitCap::Applied ? tape.capped(head.cap, logits) : logits;
}

bool rowsStandAlone(const RecordedLayer& layer, Stage attention)
{
    const bool isBesideOthers = layer.layer == 0 && layer.stack->beside;
    return !isBesideOthers && (!layer.stack->layer(layer.layer).cross || attention == Stage::Cross);
}

Tensor layerWithout(const RecordedInput& input, const Recording& recording, const Tape& recorded,
                    const RecordedLayer& layer, const RecordedAttention& attention, std::span<const ZeroedCell> cells)
{
    Tape tape(recorded.engine());
    std::vector<int> rows;
    std::ranges::transform(cells, std::back_inserter(rows), &ZeroedCell::row);
    const auto recordedRows = [&](Variable variable) {
        return tape.rows(rows, tape.constant(recorded.value(variable)));
    };
    Tensor sums = tape.value(recordedRows(attention.sums));
    const HeadShape& shape = attention.shape;
    const NumberView weights = recorded.matrix(attention.weights);
    for (Index i = 0; i < indexSize(cells); ++i) {
        const MutableView row = shape.queries(sums.matrix().rowRange(i, 1));
        for (int head = 0; head < shape.heads; ++head) {
            const float weight = weights.at(head * (weights.rows / shape.heads) + cells[i].row, cells[i].column);
            const auto value = shape.keys(recorded.matrix(attention.values)).row(head / shape.sharing, cells[i].column);
            std::ranges::transform(row.row(head, 0), value, row.row(head, 0).begin(),
                                   [weight](float sum, float own) { return sum - weight * own; });
        }
    }
    LayerCall call{input, layer.stage, layer.mask, layer.layer, {}, {{&attention, tape.constant(std::move(sums))}}};
    if (attention.site.stage == Stage::Cross) { // behind an attention that does not change
        const auto self =
            std::ranges::find(recording.attentions, Site{Stage::Decoder, layer.layer}, &RecordedAttention::site);
        call.sums.emplace_back(&*self, recordedRows(self->sums));
    } else if (layer.stage == Stage::Decoder && recording.memory.exists()) {
        call.memory = tape.constant(recorded.value(recording.memory));
    }
    std::vector<RecordedAttention> attentions;
    const Variable before = recordedRows(layer.before);
    Variable after = recordLayer(tape, call, layer.stack->layer(layer.layer), before, attentions).after;
    if (layer.layer == 0 && layer.stack->beside)
        after = recordBeside(tape, *layer.stack->beside, before, after);
    return tape.value(after);
}

} // namespace attn
