// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/order_experiment.h"

#include "analysis/word_order.h"
#include "analysis/words.h"
#include "base/error.h"
#include "readings/head_reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

OrderSide sideOf(std::array<Numbers, 2> weights, std::array<Numbers, 2> outputs, const std::vector<int>& order)
{
    OrderSide side;
    side.gaps = permutationGaps(outputs[0], outputs[1], order);
    side.weightsBack = putBack(weights[1], order, true);
    side.outputsBack = putBack(outputs[1], order, false);
    side.weights = std::move(weights[0]);
    side.outputs = std::move(outputs[0]);
    return side;
}

Stage stageOf(const ModelInfo& info)
{
    return info.kind == ModelKind::DecoderOnly ? Stage::Decoder : Stage::Encoder;
}

// [tokens, width] after a layer.
Numbers hiddenOf(const Trace& trace, Stage stage, int layer, int layers, int tokens)
{
    std::vector<Numbers> all = trace.hiddenStates(stage);
    const int index = indexSize(all) - layers + layer; // the embeddings may come before the layers
    if (index < layer || all[index].rows != tokens)
        throw Error(ErrorKind::Unsupported, trace.provenance().model, "does not tell its hidden states");
    return std::move(all[index]);
}

// The question for the model: its source only.
Question readingOnly(const Question& asked, const LoadedModel& model)
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
    double largest = 0;
    for (const double gap : gaps)
        largest = std::isfinite(gap) ? std::max(largest, gap) : largest;
    return largest;
}

int OrderSide::incomparable() const
{
    return static_cast<int>(std::ranges::count_if(gaps, [](double gap) { return !std::isfinite(gap); }));
}

std::vector<int> OrderResult::places() const
{
    std::vector<int> places(order.size());
    for (int i = 0; i < indexSize(order); ++i)
        places[order[i]] = i;
    return places;
}

OrderResult smallOrderResult(const std::vector<std::string>& words, const std::vector<int>& order)
{
    OrderResult result;
    result.words = words;
    result.order = order;
    std::vector<std::string> shuffled;
    for (const int word : order)
        shuffled.push_back(words[word]);
    for (const bool positions : {false, true}) {
        const SmallSelfAttention layer{32, 1, positions};
        result.sides[positions ? 1 : 0] =
            sideOf({layer.weights(words), layer.weights(shuffled)},
                   {Numbers::of(layer.apply(words).matrix()), Numbers::of(layer.apply(shuffled).matrix())}, order);
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
    Question question = readingOnly(m_question, *loaded);
    const bool shuffled = m_next % 2 == 1;
    const bool positions = m_next >= 2;
    question.withoutPositions = !positions;
    if (m_next > 0) {
        const std::vector<TokenId>& source = original().source().ids;
        std::vector<TokenId> ids = source;
        for (std::size_t i = 0; shuffled && i < ids.size(); ++i)
            ids[i] = source[m_order[i]];
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
    const int tokens = indexSize(source);
    for (const AxisGroup& token : tokenAxis(source))
        result.words.push_back(token.label);
    result.order = m_order;
    result.causal = causal();
    if (m_question.precision != Precision::F32)
        result.rounding = 0.05; // 8 bits of a number, through all layers
    const Site site{stageOf(m_info), layer};
    for (std::size_t positions = 0; positions < 2; ++positions) {
        std::array<Numbers, 2> weights;
        std::array<Numbers, 2> outputs;
        for (std::size_t shuffled = 0; shuffled < 2; ++shuffled) {
            const Trace& trace = m_traces[positions][shuffled];
            weights[shuffled] = readWeights(trace, {site, meanOfHeads});
            if (weights[shuffled].rows != tokens || weights[shuffled].columns != tokens)
                throw Error(ErrorKind::Unsupported, m_info.family, "has no attention between the words of its input");
            outputs[shuffled] = hiddenOf(trace, site.stage, layer, layers(), tokens);
        }
        result.sides[positions] = sideOf(std::move(weights), std::move(outputs), m_order);
    }
    return result;
}

} // namespace attn
