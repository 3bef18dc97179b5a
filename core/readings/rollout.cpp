// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "base/utf8.h"
#include "readings/reading.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace attn {

namespace {

Numbers meanMap(const ReadingInput& input, Site site, RowSpan rows = {})
{
    ReadingInput ofSite{input.trace, site, {}, input.leaf};
    for (int head = 0; head < input.trace.heads(site); ++head)
        ofSite.heads.push_back({site.layer, head});
    return meanOfHeads.compute(ofSite, rows);
}

// Rows of sum 0 stay.
void scaleToOne(std::span<float> row)
{
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (float& value : row)
        value = sum == 0 ? value : static_cast<float>(value / sum);
}

// A weight of 0 takes nothing from a row, not even NaN.
Numbers product(const Numbers& left, const Numbers& right)
{
    Numbers result = Numbers::zeros(1, left.rows, right.columns);
    for (Index row = 0; row < left.rows; ++row) {
        ThreadStop::check();
        const std::span<float> sums = result.row(row);
        for (Index inner = 0; inner < left.columns; ++inner) {
            if (const float weight = left.at(row, inner); weight != 0) {
                std::ranges::transform(sums, right.row(inner), sums.begin(),
                                       [weight](float sum, float value) { return sum + weight * value; });
            }
        }
    }
    return result;
}

// Half of what a layer passes on is its input (the residual connection), the other half what it attends to.
Numbers passedOn(Numbers weights, Index firstRow)
{
    for (Index row = 0; row < weights.rows; ++row) {
        for (float& weight : weights.row(row))
            weight /= 2;
        weights.at(row, firstRow + row) += 0.5F;
        scaleToOne(weights.row(row));
    }
    return weights;
}

// R(l) = B(l) R(l-1), R(-1) = I, of the stage's self-attention.
Numbers selfRollout(const ReadingInput& input, Site last, RowSpan rows)
{
    std::optional<Numbers> result;
    for (int layer = 0; layer <= last.layer; ++layer) {
        const RowSpan needed = layer == last.layer ? rows : RowSpan{};
        Numbers next = passedOn(meanMap(input, {last.stage, layer}, needed), needed.first);
        result = result ? product(next, *result) : std::move(next);
    }
    return std::move(*result);
}

// None: the run has no such layers, or their maps are not of tokens by the same tokens.
std::optional<Index> sizeOfSelf(const ReadingInput& input, Site last)
{
    std::optional<Index> size;
    for (int layer = 0; layer <= last.layer; ++layer) {
        const MatrixShape shape = input.trace.shape({last.stage, layer}, input.leaf);
        if (shape.rows == 0 || shape.rows != shape.columns || shape.rows != size.value_or(shape.rows)
            || input.trace.rowAxis({last.stage, layer}) != AttentionAxis::Tokens)
            return std::nullopt;
        size = shape.rows;
    }
    return size;
}

std::optional<Site> lastEncoderSite(const Trace& trace)
{
    const std::vector<Site> sites = trace.sites();
    const auto after = std::ranges::find_if(sites, [](Site site) { return site.stage != Stage::Encoder; });
    return after == sites.begin() ? std::nullopt : std::optional(*(after - 1));
}

const char* lackOf(const ReadingInput& input)
{
    if (input.site.stage != Stage::Cross)
        return sizeOfSelf(input, input.site)
            ? nullptr
            : ATTN_TRANSLATE_NOOP("attn::ui", "it needs the maps of all layers below, from tokens to the same tokens");
    const auto encoder = lastEncoderSite(input.trace);
    const auto source = encoder ? sizeOfSelf(input, *encoder) : std::nullopt;
    return source && source == input.trace.shape(input.site, input.leaf).columns
        ? nullptr
        : ATTN_TRANSLATE_NOOP("attn::ui", "it needs the self-attention of the encoder");
}

} // namespace

// Attention rollout (Abnar and Zuidema 2020): how much of each input token is in what a layer makes of a token, if
// every layer passes on the mean of its heads. Of cross attention: its weights times what is in the encoder's output.
extern const Reading attentionRollout{
    .id = "rollout",
    .name = ATTN_TRANSLATE_NOOP("attn::ui", "Rollout"),
    .title = ATTN_TRANSLATE_NOOP("attn::ui", "attention rollout"),
    .of = ReadingOf::Layers,
    .lack = lackOf,
    .cost =
        [](const ReadingInput& input, MatrixShape shape) {
            const auto encoder = lastEncoderSite(input.trace);
            const bool isCross = input.site.stage == Stage::Cross && encoder;
            const auto size = static_cast<std::size_t>(std::max(shape.rows, shape.columns));
            const auto layers = static_cast<std::size_t>(isCross ? encoder->layer : input.site.layer) + 1;
            constexpr std::size_t productsAtOnce = 4;
            const auto heads = static_cast<std::size_t>(input.trace.heads(input.site));
            return layers * size * size * (heads + size / productsAtOnce);
        },
    .compute =
        [](const ReadingInput& input, RowSpan rows) {
            if (input.site.stage != Stage::Cross)
                return selfRollout(input, input.site, rows);
            Numbers result =
                product(meanMap(input, input.site, rows), selfRollout(input, *lastEncoderSite(input.trace), {}));
            for (Index row = 0; row < result.rows; ++row)
                scaleToOne(result.row(row));
            return result;
        },
    .meaning = ATTN_TRANSLATE_NOOP("attn::ui",
                                   "How much of each input token is in a token at this layer, if every layer passes on "
                                   "half of its input and the mean of its heads. Heads differ, and values and "
                                   "feed-forward halves count for nothing."),
    .paper = "Abnar and Zuidema 2020"};

} // namespace attn
