// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"
#include "readings/reading.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace attn {

namespace {

std::size_t sizeOf(MatrixShape shape)
{
    return static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
}

Numbers ofHead(const ReadingInput& input, HeadPlace place, RowSpan rows)
{
    return input.trace.matrix({input.site.stage, place.layer}, place.head, input.leaf, rows);
}

// Heads of several layers go together where their maps have the same size.
std::vector<HeadPlace> ofOneShape(const ReadingInput& input)
{
    std::vector<HeadPlace> places = input.heads;
    const auto shape = [&](const HeadPlace& place) {
        return input.trace.shape({input.site.stage, place.layer}, input.leaf);
    };
    const auto isOther = [&](const HeadPlace& place) {
        return place.layer != places.front().layer && shape(place) != shape(places.front());
    };
    places.erase(std::remove_if(places.begin() + 1, places.end(), isOther), places.end());
    return places;
}

// `combine` takes the row of one more head into that of the heads before it, `finish` their number into the result.
template<class Finish>
Numbers combined(const ReadingInput& input, RowSpan rows, const CombineRow& combine, const Finish& finish)
{
    constexpr Index cached = 1 << 18; // numbers that stay in a core's cache while heads are combined
    const Trace& trace = input.trace;
    if (input.heads.empty())
        return trace.matrix(input.site, 0, input.leaf, {0, 0});
    const std::vector<HeadPlace> heads = ofOneShape(input);
    const MatrixShape shape = trace.shape({input.site.stage, heads.front().layer}, input.leaf);
    const Index first = std::clamp<Index>(rows.first, 0, shape.rows);
    const Index count = std::clamp<Index>(rows.count, 0, shape.rows - first);
    const Index together = std::max<Index>(1, cached / std::max<Index>(1, shape.columns));
    Numbers result = Numbers::unset(1, count, shape.columns);
    for (Index row = 0; row < count; row += together) {
        const MutableView some = result.view().rowRange(row, std::min(together, count - row));
        const Numbers one = ofHead(input, heads.front(), {first + row, some.rows});
        copyRows(one, some);
        for (auto place = heads.begin() + 1; place != heads.end(); ++place)
            trace.combine({input.site.stage, place->layer}, place->head, input.leaf, first + row, some, combine);
    }
    finish(result, static_cast<float>(heads.size()));
    return result;
}

float meanTaken(std::span<const float> taken)
{
    return std::accumulate(taken.begin(), taken.end(), 0.0F) / static_cast<float>(taken.size());
}

float largestTaken(std::span<const float> taken)
{
    return std::ranges::max(taken);
}

constexpr const char* weight = ATTN_TRANSLATE_NOOP("attn::ui", "attention weight");

} // namespace

std::size_t costOfMaps(const ReadingInput& input, MatrixShape shape)
{
    return sizeOf(shape) * (input.trace.computes(input.site, input.leaf) ? input.heads.size() : 1);
}

const Reading oneHead{
    .id = "head",
    .name = ATTN_TRANSLATE_NOOP("attn::ui", "Head"),
    .title = ATTN_TRANSLATE_NOOP("attn::ui", "head %1"),
    .of = ReadingOf::OneHead,
    .ofCount = ATTN_TRANSLATE_NOOP("attn::ui", "head %1 of %2"),
    .number = weight,
    .ofSinks = meanTaken,
    .compute = [](const ReadingInput& input, RowSpan rows) { return ofHead(input, input.heads.at(0), rows); }};

const Reading meanOfHeads{.id = "mean",
                          .name = ATTN_TRANSLATE_NOOP("attn::ui", "Mean"),
                          .title = ATTN_TRANSLATE_NOOP("attn::ui", "mean over heads"),
                          .ofCount = ATTN_TRANSLATE_NOOP("attn::ui", "mean of %1 heads"),
                          .ofPicked = ATTN_TRANSLATE_NOOP("attn::ui", "mean of %1 picked heads"),
                          .ofNamed = ATTN_TRANSLATE_NOOP("attn::ui", "mean of heads %1"),
                          .number = weight,
                          .ofSinks = meanTaken,
                          .compute = [](const ReadingInput& input, RowSpan rows) {
                              const CombineRow add = [](std::span<const float> row, std::span<float> sum) {
                                  std::ranges::transform(sum, row, sum.begin(), std::plus());
                              };
                              return combined(input, rows, add, [](Numbers& sum, float heads) {
                                  for (float& value : sum.values)
                                      value /= heads;
                              });
                          }};

const Reading maximumOfHeads{.id = "max",
                             .name = ATTN_TRANSLATE_NOOP("attn::ui", "Maximum"),
                             .title = ATTN_TRANSLATE_NOOP("attn::ui", "maximum over heads"),
                             .ofCount = ATTN_TRANSLATE_NOOP("attn::ui", "maximum of %1 heads"),
                             .ofPicked = ATTN_TRANSLATE_NOOP("attn::ui", "maximum of %1 picked heads"),
                             .ofNamed = ATTN_TRANSLATE_NOOP("attn::ui", "maximum of heads %1"),
                             .number = weight,
                             .values = ReadingValues::Positive,
                             .ofSinks = largestTaken,
                             .compute = [](const ReadingInput& input, RowSpan rows) {
                                 // The largest of weights of which one is NaN is NaN, whichever head it is of.
                                 const CombineRow larger = [](std::span<const float> row, std::span<float> most) {
                                     std::ranges::transform(most, row, most.begin(), [](float a, float b) {
                                         return a < b || std::isnan(b) ? b : a;
                                     });
                                 };
                                 return combined(input, rows, larger, [](Numbers&, float) {});
                             }};

bool hasSinks(const Reading& reading, const ReadingInput& input)
{
    return reading.ofSinks != nullptr && !input.heads.empty()
        && !input.trace.sinks({input.site.stage, input.heads.front().layer}, input.leaf).empty();
}

Numbers computeWithSinks(const Reading& reading, const ReadingInput& input, RowSpan rows)
{
    Numbers tokens = reading.compute(input, rows);
    if (!hasSinks(reading, input) || tokens.empty())
        return tokens;
    std::map<int, Numbers> taken; // by layer: by each head of each row
    for (const HeadPlace& place : input.heads) {
        if (!taken.contains(place.layer))
            taken[place.layer] = input.trace.sinks({input.site.stage, place.layer}, input.leaf);
    }
    const std::vector<HeadPlace> heads = ofOneShape(input);
    Numbers all = Numbers::unset(1, tokens.rows, tokens.columns + 1);
    for (Index row = 0; row < tokens.rows; ++row) {
        std::vector<float> ofRow;
        for (const HeadPlace& place : heads) {
            if (const Numbers& layer = taken[place.layer]; !layer.empty())
                ofRow.push_back(layer.at(place.head, rows.first + row));
        }
        all.at(row, 0) = reading.ofSinks(ofRow);
        std::ranges::copy(std::as_const(tokens).row(row), all.row(row).begin() + 1);
    }
    return all;
}

} // namespace attn
