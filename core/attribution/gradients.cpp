// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/stop.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attn {

namespace {

// --- of attention weights ---

// Gradients of the weights of all attentions, 0 at masked cells, in the order of the recording.
std::vector<Tensor> weightGradients(ExplainedRun& run)
{
    std::vector<Variable> wanted;
    for (const RecordedAttention& attention : run.recording().attentions)
        wanted.push_back(attention.weights);
    std::vector<Tensor> gradients = run.gradients(run.explained(), wanted, Explained::LogProbability);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        const std::vector<bool>& masked = run.recording().attentions[i].masked;
        for (std::size_t cell = 0; cell < masked.size(); ++cell)
            gradients[i].data()[cell] = masked[cell] ? 0.0F : gradients[i].data()[cell];
    }
    return gradients;
}

// [layers, heads, rows, columns] of a stage, of numbers that are like the weights: numbersOf(attention's number).
template<class NumbersOf>
void addStage(const Recording& recording, const Tape& tape, Stage stage, ReadArray& array, const NumbersOf& numbersOf)
{
    const auto layers = attentionsOf(recording, stage);
    for (const auto& layer : layers) {
        const int heads = layer.front()->shape.heads;
        Index rows = 0;
        for (const RecordedAttention* const attention : layer)
            rows += tape.matrix(attention->weights).rows / heads;
        const Index columns = tape.matrix(layer.back()->weights).columns;
        array.shape = {std::ssize(layers), heads, rows, columns};
        for (int head = 0; head < heads; ++head) {
            for (const RecordedAttention* const attention : layer) {
                const Tensor numbers = numbersOf(static_cast<std::size_t>(attention - recording.attentions.data()));
                const Index own = numbers.matrix().rows / heads;
                for (Index row = 0; row < own; ++row) {
                    const auto values = numbers.matrix().row(head * own + row);
                    array.values.insert(array.values.end(), values.begin(), values.end());
                    array.values.resize(array.values.size() + (columns - values.size()), 0.0F);
                }
            }
        }
    }
}

void computeGradients(ExplainedRun& run, ReadingResults& results)
{
    const std::vector<Tensor> gradients = weightGradients(run);
    for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
        ReadArray array;
        addStage(run.recording(), run.tape(), stage, array, [&](std::size_t number) { return gradients[number]; });
        if (!array.shape.empty())
            results.arrays[stageArray(stage, "gradients")] = std::move(array);
    }
}

// The mean over heads of max(0, w dg/dw).
void computeAttentionGradients(ExplainedRun& run, ReadingResults& results)
{
    const std::vector<Tensor> gradients = weightGradients(run);
    const auto positivePart = [&](std::size_t number) {
        Tensor values = gradients[number];
        const auto weights = run.tape().value(run.recording().attentions[number].weights).values();
        std::ranges::transform(values.values(), weights, values.data(),
                               [](float gradient, float weight) { return std::max(0.0F, weight * gradient); });
        return values;
    };
    for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
        ReadArray all;
        addStage(run.recording(), run.tape(), stage, all, positivePart);
        if (all.shape.empty())
            continue;
        const auto size = static_cast<std::size_t>(all.shape[2] * all.shape[3]);
        const auto heads = static_cast<std::size_t>(all.shape[1]);
        ReadArray mean{{all.shape[0], all.shape[2], all.shape[3]}, {}};
        mean.values.resize(all.values.size() / heads);
        for (std::size_t i = 0; i < all.values.size(); ++i) {
            const std::size_t layer = i / (size * heads);
            mean.values[layer * size + i % size] += all.values[i] / static_cast<float>(heads);
        }
        results.arrays[stageArray(stage, "attention_gradients")] = std::move(mean);
    }
}

// --- of embeddings ---

// The places of a run's readings by position: [positions, tokens], where the first position of a decoder-only model,
// about which nothing is said, has zeros; [tokens] of one position.
class PlacedRows
{
public:
    PlacedRows(const ExplainedRun& run, Index tokens)
        : m_tokens(tokens)
        , m_first(run.options().ofAll ? run.explained().front().position : 0)
    {
        array.shape = {tokens};
        if (run.options().ofAll)
            array.shape.insert(array.shape.begin(), m_first + std::ssize(run.explained()));
        array.values.resize(static_cast<std::size_t>(elementCount(array.shape)), 0.0F);
    }

    std::span<float> row(std::size_t position)
    {
        return std::span(array.values).subspan((position + static_cast<std::size_t>(m_first)) * m_tokens, m_tokens);
    }

    ReadArray array;

private:
    std::size_t m_tokens;
    Index m_first;
};

// One number for each position and token, made of its embedding and its gradient.
template<class NumberOf>
ReadArray byToken(const ExplainedRun& run, NumberView embeddings, const Tensor& gradients, const NumberOf& numberOf)
{
    PlacedRows placed(run, embeddings.rows);
    for (std::size_t position = 0; position < run.explained().size(); ++position) {
        for (Index token = 0; token < embeddings.rows; ++token)
            placed.row(position)[token] = static_cast<float>(numberOf(
                embeddings.row(token), gradients.matrix().row(static_cast<Index>(position) * embeddings.rows + token)));
    }
    return std::move(placed.array);
}

double productOf(std::span<const float> left, std::span<const float> right)
{
    return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

double lengthOfGradient(std::span<const float> /*embedding*/, std::span<const float> gradient)
{
    return std::sqrt(productOf(gradient, gradient));
}

// Beginning of the path of integrated gradients, [tokens, width]: zeros, or a token's embedding in every place. Special
// tokens beside the places of a picture stay themselves.
Tensor baselineOf(ExplainedRun& run, NumberView embeddings)
{
    Tensor baseline({embeddings.rows, embeddings.columns});
    if (!run.options().baseline) {
        for (Index token = 0; token < embeddings.rows; ++token) {
            if (run.info().input != InputKind::Text && run.source()[token] == noTokenId)
                std::ranges::copy(embeddings.row(token), baseline.matrix().row(token).begin());
        }
        return baseline;
    }
    const std::vector<TokenId> same(embeddings.rows, *run.options().baseline);
    Tape tape(run.engine(), run.stop());
    RecordedInput input = run.recordedInput();
    input.source = same;
    return tape.value(run.model().record(tape, input).source);
}

// Integrated gradients (Sundararajan et al. 2017) by the midpoint rule.
void integrate(ExplainedRun& run, ReadingResults& results, int steps)
{
    const auto& [ownTape, own] = run.ends();
    const NumberView embeddings = ownTape->matrix(own.source);
    const Tensor baseline = baselineOf(run, embeddings);
    const auto embeddingsAt = [&](double share) {
        Tensor between({embeddings.rows, embeddings.columns});
        for (std::size_t i = 0; i < between.size(); ++i)
            between.data()[i] =
                static_cast<float>(baseline.values()[i] + share * (embeddings.values()[i] - baseline.values()[i]));
        return between;
    };
    std::vector<double> sums(run.explained().size() * embeddings.size());
    for (int step = 0; step < steps; ++step) {
        throwIfStopped(run.stop());
        const Tensor between = embeddingsAt((step + 0.5) / steps);
        RecordedInput input = run.recordedInput();
        input.sourceEmbeddings = between.matrix();
        Tape tape(run.engine(), run.stop());
        const Recording recording = run.model().record(tape, input);
        const std::vector<Variable> wanted{recording.source};
        const Tensor gradients = std::move(
            run.gradients(tape, recording, run.explained(), wanted, Explained::LogProbability, BackwardRule::Gradient)
                .front());
        std::ranges::transform(sums, gradients.values(), sums.begin(), std::plus<>());
    }
    Tensor means({std::ssize(run.explained()) * embeddings.rows, embeddings.columns});
    std::ranges::transform(sums, means.data(), [steps](double sum) { return static_cast<float>(sum / steps); });
    Tensor differences = Tensor::of(embeddings);
    std::ranges::transform(differences.values(), baseline.values(), differences.data(), std::minus<>());

    ReadArray array = byToken(run, differences.matrix(), means, productOf);
    array.steps = steps;
    array.baseline = run.options().baseline ? std::to_string(*run.options().baseline) : "zero";
    const auto valuesFrom = [&](double share) {
        const Tensor at = embeddingsAt(share);
        RecordedInput input = run.recordedInput();
        input.sourceEmbeddings = at.matrix();
        Tape tape(run.engine(), run.stop());
        const Recording recording = run.model().record(tape, input);
        return run.values(tape, recording, run.explained(), Explained::LogProbability);
    };
    const std::vector<double> ends = valuesFrom(1);
    const std::vector<double> beginnings = valuesFrom(0);
    const std::size_t empty = array.values.size() / embeddings.rows - ends.size(); // rows about which nothing is said
    results.completeness.assign(empty, std::nullopt);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto row = std::span(array.values).subspan((empty + i) * embeddings.rows, embeddings.rows);
        results.completeness.push_back(
            Completeness{std::accumulate(row.begin(), row.end(), 0.0), ends[i] - beginnings[i]});
    }
    results.arrays["source_integrated_gradients"] = std::move(array);
}

// Embeddings of the source and, of an encoder-decoder, of the decoder's inputs, and the gradients of each.
struct EmbeddingGradients
{
    std::vector<NumberView> embeddings;
    std::vector<Tensor> gradients;
};

EmbeddingGradients embeddingGradients(ExplainedRun& run, Explained what, BackwardRule rule)
{
    const auto& [tape, recording] = run.ends();
    std::vector<Variable> wanted{recording.source};
    if (recording.target.exists())
        wanted.push_back(recording.target);
    EmbeddingGradients found{{}, run.gradients(*tape, recording, run.explained(), wanted, what, rule)};
    for (const Variable one : wanted)
        found.embeddings.push_back(tape->matrix(one));
    return found;
}

void computeInputGradients(ExplainedRun& run, ReadingResults& results)
{
    const auto [embeddings, gradients] = embeddingGradients(run, Explained::LogProbability, BackwardRule::Gradient);
    results.arrays["source_gradients"] = byToken(run, embeddings[0], gradients[0], lengthOfGradient);
    results.arrays["source_times_gradients"] = byToken(run, embeddings[0], gradients[0], productOf);
    if (embeddings.size() > 1)
        results.arrays["target_gradients"] = byToken(run, embeddings[1], gradients[1], lengthOfGradient);
}

// With more steps until their path has settled, where that is asked for.
void computeIntegratedGradients(ExplainedRun& run, ReadingResults& results)
{
    int steps = run.options().steps;
    integrate(run, results, steps);
    const auto isUnsettled = [](const std::optional<Completeness>& path) { return path && !path->settled(); };
    while (2 * steps <= run.options().mostSteps && std::ranges::any_of(results.completeness, isUnsettled)) {
        steps *= 2;
        integrate(run, results, steps);
    }
}

// --- relevance ---

void computeRelevance(ExplainedRun& run, ReadingResults& results)
{
    const auto [embeddings, gradients] = embeddingGradients(run, Explained::Logit, BackwardRule::Relevance);
    results.arrays["source_lrp"] = byToken(run, embeddings[0], gradients[0], productOf);
    if (embeddings.size() > 1)
        results.arrays["target_lrp"] = byToken(run, embeddings[1], gradients[1], productOf);
}

} // namespace

extern const ReadingMethod gradientsMethod{
    .id = "gradients",
    .help = "how the explained probability changes with each attention weight (Jain and Wallace 2019)",
    .ofOutput = true,
    .ofEach = false,
    .lack = differentiableOnly,
    .compute = computeGradients};

extern const ReadingMethod attentionGradientsMethod{
    .id = "attention_gradients",
    .help = "weights times their gradients, the positive part, the mean of heads (Chefer et al. 2021)",
    .ofOutput = true,
    .ofEach = false,
    .lack = differentiableOnly,
    .compute = computeAttentionGradients};

extern const ReadingMethod inputGradientsMethod{
    .id = "input_gradients",
    .help = "gradients of the embeddings, their product, and integrated_gradients (Simonyan et al. 2014)",
    .ofOutput = true,
    .lack = differentiableOnly,
    .compute = computeInputGradients};

extern const ReadingMethod integratedGradientsMethod{
    .id = "integrated_gradients",
    .help = "gradients summed on the way from a baseline to the text (Sundararajan et al. 2017)",
    .partOf = "input_gradients",
    .ofOutput = true,
    .lack = differentiableOnly,
    .compute = computeIntegratedGradients};

extern const ReadingMethod relevanceMethod{
    .id = "lrp",
    .help = "relevance of each token for the logit, passed back layer by layer (Achtibat et al. 2024)",
    .ofOutput = true,
    .lack = transformersOnly,
    .compute = computeRelevance};

} // namespace attn
