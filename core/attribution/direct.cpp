// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/words.h"
#include "models/transformer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn {

namespace {

std::string lackOfDirect(const ExplainedRun& run)
{
    if (const std::string lack = transformersOnly(run); !lack.empty())
        return lack;
    if (run.info().input == InputKind::PictureAndText)
        return "a similarity is not a token's logit";
    const auto& parts = dynamic_cast<const Transformer&>(run.model()).parts();
    if (!parts.decoder)
        return ATTN_TRANSLATE_NOOP("attn::ui", "an encoder's output is not a sum of what its layers add");
    const auto normsSum = [](const Residual& residual) { return residual.sum || residual.passesNormed; };
    for (const TransformerLayer& layer : parts.decoder->layers) {
        if (normsSum(layer.self.residual) || normsSum(layer.feedForward.residual)
            || (layer.cross && normsSum(layer.cross->residual)))
            return ATTN_TRANSLATE_NOOP("attn::ui",
                                       "layers that normalise the sum of their input and output pass on no sum");
    }
    return parts.head->transform || parts.head->norm
        ? ATTN_TRANSLATE_NOOP("attn::ui", "the output layer is more than a matrix")
        : "";
}

// Inner product of some columns of a row.
double product(NumberView left, NumberView right, Index row, Index first, Index count)
{
    const auto a = left.row(row).subspan(first, count);
    const auto b = right.row(row).subspan(first, count);
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Adds to the logit of one position. Gradients go back along the residual connections alone, so that what a head adds
// is its sums times their gradient.
struct Contributions
{
    ReadArray decoder; // [layers, heads]
    ReadArray cross;
    ReadArray feedForward; // [layers]
    double embedding = 0;
    double rest = 0;
};

Contributions contributionsTo(ExplainedRun& run, const ExplainedOutput& output)
{
    const Recording& recording = run.recording();
    const Tape& tape = run.tape();
    std::vector<Variable> wanted{recording.states.front()};
    std::vector<const RecordedAttention*> attentions;
    for (const RecordedAttention& attention : recording.attentions) {
        if (attention.site.stage != Stage::Encoder) {
            attentions.push_back(&attention);
            wanted.push_back(attention.sums);
        }
    }
    for (const RecordedLayer& layer : recording.layers) {
        if (layer.stage == Stage::Decoder)
            wanted.push_back(layer.feedForward);
    }
    const std::vector<Tensor> gradients = run.gradients({&output, 1}, wanted, Explained::Logit, BackwardRule::Residual);
    const Index row = output.rows.front();
    const auto whole = [&](std::size_t number) {
        const NumberView value = tape.matrix(wanted[number]);
        return product(value, gradients[number].matrix(), row, 0, value.columns);
    };
    Contributions found;
    found.embedding = whole(0);
    double sum = found.embedding;
    std::size_t number = 1;
    for (const RecordedAttention* const attention : attentions) {
        ReadArray& array = attention->site.stage == Stage::Cross ? found.cross : found.decoder;
        const int heads = attention->shape.heads;
        array.shape = {attention->site.layer + 1, heads};
        const NumberView sums = tape.matrix(attention->sums);
        const Index width = sums.columns / heads;
        for (int head = 0; head < heads; ++head) {
            const double added = product(sums, gradients[number].matrix(), row, head * width, width);
            array.values.push_back(static_cast<float>(added));
            sum += added;
        }
        ++number;
    }
    for (; number < wanted.size(); ++number) {
        const double added = whole(number);
        found.feedForward.values.push_back(static_cast<float>(added));
        sum += added;
    }
    found.feedForward.shape = {std::ssize(found.feedForward.values)};
    found.rest = run.logitBeforeCap(output) - sum;
    return found;
}

void computeDirect(ExplainedRun& run, ReadingResults& results)
{
    Contributions found = contributionsTo(run, run.explained().front());
    results.arrays["decoder_direct"] = std::move(found.decoder);
    if (!found.cross.shape.empty())
        results.arrays["cross_direct"] = std::move(found.cross);
    results.arrays["mlp_direct"] = std::move(found.feedForward);
    results.arrays["embedding_direct"] = {{}, {static_cast<float>(found.embedding)}};
    results.arrays["rest_direct"] = {{}, {static_cast<float>(found.rest)}};
}

} // namespace

extern const ReadingMethod directMethod{
    .id = "direct",
    .help = "what each head, feed-forward half and the embedding add to the logit (Elhage et al. 2021)",
    .ofOutput = true,
    .ofEach = false,
    .lack = lackOfDirect,
    .compute = computeDirect};

} // namespace attn
