// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/order_experiment.h"

#include "analysis/word_order.h"
#include "analysis/words.h"
#include "base/error.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

Numbers matrixOf(const Tensor& tensor)
{
    const NumberView view = tensor.matrix();
    return {view.rows, view.columns, {tensor.values().begin(), tensor.values().end()}};
}

NumberView viewOf(const Numbers& matrix)
{
    return {matrix.values.data(), matrix.rows, matrix.columns};
}

OrderSide sideOf(std::array<Numbers, 2> weights, std::array<Numbers, 2> outputs, const std::vector<int>& order)
{
    OrderSide side;
    side.gaps = permutationGaps(viewOf(outputs[0]), viewOf(outputs[1]), order);
    side.weightsBack = putBack(weights[1], order, true);
    side.outputsBack = putBack(outputs[1], order, false);
    side.weights = std::move(weights[0]);
    side.outputs = std::move(outputs[0]);
    return side;
}

// [tokens, width] after a layer.
Numbers hiddenOf(const Trace& trace, int layer, int layers, int tokens)
{
    Numbers result{tokens, 0, {}};
    const auto take = [&](const std::shared_ptr<const std::vector<float>>& values) {
        if (values)
            result.values.insert(result.values.end(), values->begin(), values->end());
    };
    const auto index = [&](std::size_t count) { // the embeddings may come before the layers
        return count - static_cast<std::size_t>(layers) + static_cast<std::size_t>(layer);
    };
    if (trace.kind() == ModelKind::DecoderOnly) {
        for (const auto& step : trace.rowPath()) {
            if (step->hidden.size() >= static_cast<std::size_t>(layers))
                take(step->hidden[index(step->hidden.size())]);
        }
    } else if (trace.encoderHidden().size() >= static_cast<std::size_t>(layers)) {
        take(trace.encoderHidden()[index(trace.encoderHidden().size())]);
    }
    if (result.values.empty() || result.values.size() % static_cast<std::size_t>(tokens) != 0)
        throw Error(ErrorKind::Unsupported, trace.provenance().model, "does not tell its hidden states");
    result.columns = static_cast<int>(result.values.size() / static_cast<std::size_t>(tokens));
    return result;
}

Stage stageOf(const ModelInfo& info)
{
    return info.kind == ModelKind::DecoderOnly ? Stage::Decoder : Stage::Encoder;
}

// What is asked of the model: its source only.
Question readOnly(const Question& asked, const LoadedModel& model)
{
    Question question;
    question.model = asked.model;
    question.text = asked.text;
    question.sourceLanguage = asked.sourceLanguage;
    question.targetLanguage = asked.targetLanguage;
    const ModelInfo& info = model.model->info();
    if (info.kind == ModelKind::EncoderDecoder)
        question.targetIds = std::vector<TokenId>{info.endToken.value_or(0)};
    question.capture.hidden = true;
    return fitted(question, model);
}

} // namespace

double OrderSide::largestGap() const
{
    return gaps.empty() ? 0 : *std::ranges::max_element(gaps);
}

std::vector<int> OrderResult::places() const
{
    std::vector<int> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        places[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return places;
}

OrderResult smallOrderResult(const std::vector<std::string>& words, const std::vector<int>& order)
{
    OrderResult result;
    result.words = words;
    result.order = order;
    std::vector<std::string> shuffled;
    for (const int word : order)
        shuffled.push_back(words[static_cast<std::size_t>(word)]);
    for (const bool positions : {false, true}) {
        const SmallSelfAttention layer{32, 1, positions};
        result.sides[positions ? 1 : 0] =
            sideOf({layer.weights(words), layer.weights(shuffled)},
                   {matrixOf(layer.apply(words)), matrixOf(layer.apply(shuffled))}, order);
    }
    return result;
}

bool readsInParallel(const ModelInfo& info)
{
    return info.heads({stageOf(info), 0}) > 0 && info.positions.scheme != PositionScheme::Recurrent;
}

OrderExperiment::OrderExperiment(Question question, std::vector<int> words)
    : m_question(std::move(question))
    , m_words(std::move(words))
{
}

int OrderExperiment::layers() const
{
    return causal() ? m_info.decoderLayers : m_info.encoderLayers;
}

bool OrderExperiment::advance(const Workbench& bench)
{
    const auto loaded = bench.load(m_question.model);
    Question question = readOnly(m_question, *loaded);
    const bool shuffled = m_next % 2 == 1;
    const bool positions = m_next >= 2;
    question.withoutPositions = !positions;
    if (m_next > 0) {
        const std::vector<TokenId>& source = original().source().ids;
        std::vector<TokenId> ids = source;
        for (std::size_t i = 0; shuffled && i < ids.size(); ++i)
            ids[i] = source[static_cast<std::size_t>(m_order[i])];
        question.sourceIds = std::move(ids);
    }
    Trace trace = answer(question, *loaded, bench.engine, {.stop = bench.stop});
    if (m_next == 0) {
        m_info = loaded->model->info();
        Encoding source = trace.source();
        source.text = m_question.text;
        m_order = tokenOrder(source, m_words);
    }
    m_traces[positions ? 1 : 0][shuffled ? 1 : 0] = std::move(trace);
    bench.say({ExperimentProgress::Step::Run, (m_next + 1.0) / runs, {}, m_next, runs});
    if (++m_next < runs)
        return true;
    static_cast<void>(result(0)); // a model without what is compared says so here
    return false;
}

OrderResult OrderExperiment::result(int layer) const
{
    OrderResult result;
    const Encoding& source = original().source();
    const auto tokens = static_cast<int>(source.size());
    for (const AxisGroup& token : tokenAxis(source))
        result.words.push_back(token.label);
    result.order = m_order;
    result.causal = causal();
    if (original().provenance().precision == "bf16")
        result.rounding = 0.05; // 8 bits of a number, through all layers
    const Site site{stageOf(m_info), layer};
    for (std::size_t positions = 0; positions < 2; ++positions) {
        std::array<Numbers, 2> weights;
        std::array<Numbers, 2> outputs;
        for (std::size_t shuffled = 0; shuffled < 2; ++shuffled) {
            const Trace& trace = m_traces[positions][shuffled];
            weights[shuffled] = trace.matrix(site, HeadSummary::Mean);
            if (weights[shuffled].rows != tokens || weights[shuffled].columns != tokens)
                throw Error(ErrorKind::Unsupported, m_info.family, "has no attention between the words of its input");
            outputs[shuffled] = hiddenOf(trace, layer, layers(), tokens);
        }
        result.sides[positions] = sideOf(std::move(weights), std::move(outputs), m_order);
    }
    return result;
}

} // namespace attn
