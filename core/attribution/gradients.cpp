// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace attn {

namespace {

// --- of attention weights ---

// Numbers that are like the weights, by stage: [layers, heads, rows, columns]. Attentions of a recurrent model are
// rows, in their order, with zeros where later ones have further keys.
class LikeWeights
{
public:
    // numbers: [heads * rows, columns].
    void add(const RecordedAttention& attention, Index heads, const Tensor& numbers)
    {
        ReadArray& array = m_arrays[attention.site.stage];
        const NumberView own = numbers.matrix();
        if (attention.projection == nullptr && !array.shape.empty()) {
            widen(array, own.columns);
            ++array.shape[2];
            array.values.insert(array.values.end(), numbers.values().begin(), numbers.values().end());
            return;
        }
        const Index layers = attention.site.layer + 1;
        if (array.shape.empty())
            array.shape = {layers, heads, own.rows / heads, own.columns};
        array.shape[0] = std::max<std::int64_t>(array.shape[0], layers);
        array.values.resize(static_cast<std::size_t>(elementCount(array.shape)));
        std::ranges::copy(numbers.values(),
                          array.values.begin() + std::ptrdiff_t{attention.site.layer} * std::ssize(numbers.values()));
    }

    // Into the results: "cross_gradients". ofHeads: with the heads' dimension.
    void addTo(ReadingResults& results, const char* what, bool ofHeads)
    {
        for (auto& [stage, array] : m_arrays) {
            if (stage == Stage::Pooling)
                continue;
            if (!ofHeads)
                array.shape.erase(array.shape.begin() + 1);
            results.arrays[stageArray(stage, what)] = std::move(array);
        }
    }

private:
    static void widen(ReadArray& array, Index columns)
    {
        const std::int64_t before = array.shape[3];
        if (before == columns)
            return;
        std::vector<float> values(static_cast<std::size_t>(array.shape[2]) * columns);
        for (std::int64_t row = 0; row < array.shape[2]; ++row)
            std::copy_n(array.values.begin() + row * before, before, values.begin() + row * columns);
        array.values = std::move(values);
        array.shape[3] = columns;
    }

    std::map<Stage, ReadArray> m_arrays;
};

void computeGradients(ExplainedRun& run, ReadingResults& results)
{
    LikeWeights all;
    run.weightGradients([&all](const Tape& /*tape*/, const RecordedAttention& attention, const Tensor& gradient) {
        all.add(attention, attention.shape.heads, gradient);
    });
    all.addTo(results, "gradients", true);
}

// The mean over heads of max(0, w dg/dw).
void computeAttentionGradients(ExplainedRun& run, ReadingResults& results)
{
    LikeWeights all;
    run.weightGradients([&all](const Tape& tape, const RecordedAttention& attention, const Tensor& gradient) {
        const auto weights = tape.value(attention.weights).values();
        const auto heads = static_cast<std::size_t>(attention.shape.heads);
        const NumberView cells = gradient.matrix();
        Tensor mean({cells.rows / attention.shape.heads, cells.columns});
        for (std::size_t i = 0; i < weights.size(); ++i)
            mean.data()[i % mean.size()] +=
                std::max(0.0F, weights[i] * gradient.values()[i]) / static_cast<float>(heads);
        all.add(attention, 1, mean);
    });
    all.addTo(results, "attention_gradients", false);
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

// Points of the path that are recorded side by side. A recurrent model reads all its weights for one row of a step:
// several rows share them. Long inputs have less to share, and tapes of several points do not fit caches.
int pointsTogether(const ModelInfo& info, Index tokens)
{
    constexpr int most = 16;
    constexpr int mostRows = 512;
    return info.architecture.form == Architecture::Form::Recurrent ? std::clamp(mostRows / std::max(1, tokens), 1, most)
                                                                   : 1;
}

// Integrated gradients (Sundararajan et al. 2017) by the midpoint rule.
void integrate(ExplainedRun& run, ReadingResults& results, int steps)
{
    const auto& [ownTape, own] = run.ends();
    const NumberView embeddings = ownTape->matrix(own.source);
    int lastRow = 0; // of the output that anything is asked about
    for (const ExplainedOutput& output : run.explained())
        lastRow = std::max(lastRow, std::ranges::max(output.rows));
    const auto inputAt = [&run, lastRow](NumberView sourceEmbeddings) {
        RecordedInput input = run.recordedInput();
        input.sourceEmbeddings = sourceEmbeddings;
        if (run.info().predictsTokens && !input.target.empty())
            input.target = input.target.first(lastRow + 1);
        return input;
    };
    const Tensor baseline = baselineOf(run, embeddings);
    // Points of the path that these shares say, row token * points + point.
    const auto embeddingsAt = [&](std::span<const double> shares) {
        Tensor between({std::int64_t{embeddings.rows} * std::ssize(shares), embeddings.columns});
        for (Index row = 0; row < between.matrix().rows; ++row) {
            const Index token = row / indexSize(shares);
            const double share = shares[row % indexSize(shares)];
            std::ranges::transform(
                baseline.matrix().row(token), embeddings.row(token), between.matrix().row(row).begin(),
                [share](float from, float to) { return static_cast<float>(from + share * (to - from)); });
        }
        return between;
    };
    const int together = pointsTogether(run.info(), embeddings.rows);
    std::vector<double> sums(run.explained().size() * embeddings.size());
    for (int first = 0; first < steps; first += together) {
        throwIfStopped(run.stop());
        std::vector<double> shares;
        for (int step = first; step < std::min(first + together, steps); ++step)
            shares.push_back((step + 0.5) / steps);
        const Tensor between = embeddingsAt(shares);
        RecordedInput input = inputAt(between.matrix());
        input.points = static_cast<int>(shares.size());
        Tape tape(run.engine(), run.stop());
        const Recording recording = run.model().record(tape, input);
        const std::vector<Variable> wanted{recording.source};
        const Tensor gradients = std::move(
            run.gradients(tape, recording, run.explained(), wanted, Explained::LogProbability, BackwardRule::Gradient)
                .front());
        for (Index row = 0; row < gradients.matrix().rows; ++row) {
            double* const sum = sums.data() + std::ptrdiff_t{row / input.points} * embeddings.columns;
            std::ranges::transform(gradients.matrix().row(row), std::span(sum, embeddings.columns), sum, std::plus<>());
        }
    }
    Tensor means({std::ssize(run.explained()) * embeddings.rows, embeddings.columns});
    std::ranges::transform(sums, means.data(), [steps](double sum) { return static_cast<float>(sum / steps); });
    Tensor differences = Tensor::of(embeddings);
    std::ranges::transform(differences.values(), baseline.values(), differences.data(), std::minus<>());

    ReadArray array = byToken(run, differences.matrix(), means, productOf);
    array.steps = steps;
    array.baseline = run.options().baseline ? std::to_string(*run.options().baseline) : "zero";
    const std::vector<double> ends = run.values(*ownTape, own, run.explained(), Explained::LogProbability);
    const Tensor nothing = embeddingsAt(std::vector<double>{0});
    Tape tape(run.engine(), run.stop());
    const Recording beginning = run.model().record(tape, inputAt(nothing.matrix()));
    const std::vector<double> beginnings = run.values(tape, beginning, run.explained(), Explained::LogProbability);
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
    .lack = differentiableMapsOnly,
    .compute = computeGradients};

extern const ReadingMethod attentionGradientsMethod{
    .id = "attention_gradients",
    .help = "weights times their gradients, the positive part, the mean of heads (Chefer et al. 2021)",
    .ofOutput = true,
    .ofEach = false,
    .lack = differentiableMapsOnly,
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
