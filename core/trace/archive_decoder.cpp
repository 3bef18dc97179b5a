// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "base/progress.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace attn {

namespace {

constexpr auto sinksName = "decoder_sinks";
constexpr auto idsName = "expert_ids";
constexpr auto sharesName = "expert_weights";
constexpr std::int64_t noExpert = -1; // of layers without

std::vector<Site> decoderSites(const Trace& trace)
{
    std::vector<Site> sites;
    std::ranges::copy_if(trace.sites(), std::back_inserter(sites),
                         [](const Site& site) { return site.stage == Stage::Decoder; });
    return sites;
}

void addSinks(WrittenArrays& arrays, const Trace& trace, std::optional<StepId> leaf)
{
    NumberVector<float> values;
    NpyArray::Shape shape;
    for (const Site& site : decoderSites(trace)) {
        const Numbers sinks = trace.sinks(site, leaf);
        if (sinks.empty())
            return;
        shape = {shape.empty() ? 1 : shape.front() + 1, sinks.rows, sinks.columns};
        values.insert(values.end(), sinks.values.begin(), sinks.values.end());
    }
    if (!values.empty())
        arrays.emplace(sinksName, NpyArray::fromFloats(shape, values));
}

} // namespace

void addSinksAndExperts(WrittenArrays& arrays, const Trace& trace, std::optional<StepId> leaf)
{
    addSinks(arrays, trace, leaf);
    if (!trace.hasExperts())
        return;
    const std::int64_t layers = std::ssize(decoderSites(trace));
    const std::int64_t rows = std::ssize(trace.rowPath(leaf));
    std::vector<std::vector<ChosenExperts>> all;
    std::size_t chosen = 0;
    for (int layer = 0; layer < layers; ++layer) {
        all.push_back(trace.experts(layer, leaf));
        for (const ChosenExperts& row : all.back())
            chosen = std::max(chosen, row.ids.size());
    }
    std::vector<std::int64_t> ids;
    std::vector<float> weights;
    for (auto& layer : all) {
        layer.resize(static_cast<std::size_t>(rows));
        for (const ChosenExperts& row : layer) {
            for (std::size_t place = 0; place < chosen; ++place) {
                ids.push_back(place < row.ids.size() ? row.ids[place] : noExpert);
                weights.push_back(place < row.weights.size() ? row.weights[place] : 0.0F);
            }
        }
    }
    const NpyArray::Shape shape{layers, rows, static_cast<std::int64_t>(chosen)};
    arrays.emplace(idsName, NpyArray::fromIntegers(shape, ids));
    arrays.emplace(sharesName, NpyArray::fromFloats(shape, weights));
}

std::vector<Numbers> readSinks(ArchiveArrays& arrays, std::int64_t layers, std::int64_t heads, Index rows)
{
    NpyStream* const array = arrays.find(sinksName, {layers, heads, rows});
    std::vector<Numbers> result;
    if (array == nullptr || array->size() == 0)
        return result;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        ThreadStop::check();
        result.push_back(
            {rows, 1, array->floats(array->size() / static_cast<std::size_t>(layers)), static_cast<Index>(heads)});
    }
    return result;
}

void readExperts(ArchiveArrays& arrays, Index rows, TraceBuilder& builder)
{
    NpyStream* const ids = arrays.find(idsName, {"layers", rows, "experts"});
    NpyStream* const weights = arrays.find(sharesName, {"layers", rows, "experts"});
    if (ids == nullptr && weights == nullptr)
        return;
    if (ids == nullptr || weights == nullptr || ids->shape() != weights->shape())
        arrays.refuse(ids == nullptr ? sharesName : idsName,
                      fmt::format("is there without {} of the same shape", ids == nullptr ? idsName : sharesName));
    const std::int64_t layers = ids->shape()[0];
    const auto chosen = static_cast<Index>(ids->shape()[2]);
    if (layers > mostLayers)
        arrays.refuse(idsName, fmt::format("has {} layers, more than the {} that are read", layers, mostLayers));
    if (ids->size() == 0)
        return;
    std::vector<int> numbers;
    for (const std::int64_t id : ids->all().integers()) {
        if (id < noExpert || id >= mostExperts)
            arrays.refuse(idsName, fmt::format("holds {}, which is no expert", id));
        numbers.push_back(static_cast<int>(id));
    }
    const std::size_t size = numbers.size() / static_cast<std::size_t>(layers);
    for (Index layer = 0; layer < layers; ++layer) {
        ThreadStop::check();
        const auto values = weights->floats(size);
        const auto own = std::span(numbers).subspan(static_cast<std::size_t>(layer) * size, size);
        if (own.front() != noExpert)
            builder.routed({layer, 0, 0, own, NumberView(values.data(), rows, chosen)});
    }
}

} // namespace attn
