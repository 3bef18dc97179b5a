// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/utf8.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

double lengthOf(std::span<const float> vector)
{
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

// Values of each head as they reach the output, [heads * keys, width]: through the head's rows of the projection,
// without its bias.
Tensor projectedValues(Engine& engine, const RecordedAttention& attention, NumberView values)
{
    const HeadShape& shape = attention.shape;
    const Index width = values.columns / shape.keyValueHeads();
    if (attention.projection == nullptr)
        return Tensor::of(values);
    const Linear& projection = *attention.projection;
    Tensor alone({std::int64_t{shape.heads} * values.rows, projection.inputs()}); // of one head, zeros of the others
    for (int head = 0; head < shape.heads; ++head) {
        for (Index key = 0; key < values.rows; ++key) {
            const auto own = shape.keys(values).row(head / shape.sharing, key);
            std::ranges::copy(own, alone.matrix().row(head * values.rows + key).begin() + std::ptrdiff_t{head} * width);
        }
    }
    Tensor made = projection.apply(engine, alone.matrix());
    const Tensor bias = projection.apply(engine, Tensor({1, projection.inputs()}).matrix());
    for (Index row = 0; row < made.matrix().rows; ++row)
        std::ranges::transform(made.matrix().row(row), bias.values(), made.matrix().row(row).begin(), std::minus<>());
    return made;
}

// Adds the rows of one attention, with zeros up to so many columns, by head, and of all heads together.
void addNorms(ExplainedRun& run, const RecordedAttention& attention, Index columns,
              std::vector<std::vector<float>>& ofHeads, std::vector<float>& summed)
{
    const NumberView values = run.tape().matrix(attention.values);
    const NumberView weights = run.tape().matrix(attention.weights);
    const int heads = attention.shape.heads;
    const Index rows = weights.rows / heads;
    const Tensor projected = projectedValues(run.engine(), attention, values);
    const auto valueOf = [&](int head, Index key) { return projected.matrix().row(head * values.rows + key); };
    for (int head = 0; head < heads; ++head) {
        for (Index row = 0; row < rows; ++row) {
            for (Index key = 0; key < values.rows; ++key)
                ofHeads[head].push_back(static_cast<float>(
                    attention.share * std::abs(weights.at(head * rows + row, key)) * lengthOf(valueOf(head, key))));
            ofHeads[head].resize(ofHeads[head].size() + (columns - values.rows), 0.0F);
        }
    }
    std::vector<float> sum(projected.matrix().columns);
    for (Index row = 0; row < rows; ++row) {
        throwIfStopped(run.stop());
        for (Index key = 0; key < values.rows; ++key) {
            std::ranges::fill(sum, 0.0F);
            for (int head = 0; head < heads; ++head) {
                const float weight = weights.at(head * rows + row, key);
                if (weight == 0)
                    continue;
                std::ranges::transform(sum, valueOf(head, key), sum.begin(),
                                       [weight](float so, float value) { return so + weight * value; });
            }
            summed.push_back(static_cast<float>(lengthOf(sum)));
        }
    }
}

void computeNorms(ExplainedRun& run, ReadingResults& results)
{
    for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
        const auto layers = attentionsOf(run.recording(), stage);
        if (layers.empty() || layers.front().empty())
            continue;
        ReadArray array;
        ReadArray summed;
        const int heads = layers.front().front()->shape.heads;
        Index rows = 0;
        Index columns = 0;
        for (const auto& layer : layers) {
            std::vector<std::vector<float>> ofHeads(heads);
            rows = 0;
            columns = run.tape().matrix(layer.back()->values).rows;
            for (const RecordedAttention* const attention : layer) {
                addNorms(run, *attention, columns, ofHeads, summed.values);
                rows += run.tape().matrix(attention->weights).rows / heads;
            }
            for (const auto& head : ofHeads)
                array.values.insert(array.values.end(), head.begin(), head.end());
        }
        array.shape = {std::ssize(layers), heads, rows, columns};
        summed.shape = {std::ssize(layers), rows, columns};
        results.arrays[stageArray(stage, "norms")] = std::move(array);
        if (layers.front().front()->projection != nullptr)
            results.arrays[stageArray(stage, "norms_summed")] = std::move(summed);
    }
}

// Nothing is differentiated: hard attention has norms, too.
std::string lackOfNorms(const ExplainedRun& run)
{
    const Architecture::Form form = run.info().architecture.form;
    return form == Architecture::Form::Transformer || form == Architecture::Form::Recurrent
        ? std::string()
        : ATTN_TRANSLATE_NOOP("attn::ui", "it is defined for Transformers and recurrent decoders only");
}

} // namespace

extern const ReadingMethod normsMethod{
    .id = "norms",
    .help = "lengths of what each token adds: weight times value, projected (Kobayashi et al. 2020)",
    .lack = lackOfNorms,
    .compute = computeNorms};

} // namespace attn
