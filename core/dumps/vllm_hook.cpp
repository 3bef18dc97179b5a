// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/tensor_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Queries and keys, after their positions, as vLLM-Hook's workers probe them: qk.pt is {"config", "qk_cache": {module:
// {"q": [...], "k_all": [...], "layer_num"}}} with a tensor for each request, qk.safetensors has them padded as
// module__q and module__k [requests, tokens, width] and the rest in qk.json beside it. The weights are computed.
struct ProbedLayer
{
    std::int64_t number = 0;
    std::string queries; // names of tensors, of qk.pt without the number of the request
    std::string keys;
};

struct Probe
{
    TensorFile file;
    bool isPadded = false; // qk.safetensors
    std::int64_t heads = 1;
    std::int64_t keyHeads = 1;
    std::int64_t width = 1; // of a head
    double scale = 1;
    std::size_t requests = 0;
    std::vector<std::int64_t> lengths = {}; // of padded ones; empty: all are whole
    std::vector<ProbedLayer> layers = {};
};

constexpr std::string_view cache = "qk_cache/";
constexpr std::int64_t mostHeadsOfProbe = 1024;

void readConfig(Probe& probe, const std::function<double(const char*)>& number, const DumpFile& file)
{
    const auto whole = [&](const char* name) {
        const double value = number(name);
        if (!(value >= 1 && value <= 65'536))
            file.refuse(fmt::format("config/{}", name), "is no size of a model");
        return static_cast<std::int64_t>(value);
    };
    probe.heads = whole("num_attention_heads");
    probe.keyHeads = whole("num_key_value_heads");
    probe.width = whole("head_dim");
    probe.scale = number("attention_multiplier");
    if (probe.heads > mostHeadsOfProbe || probe.heads % probe.keyHeads != 0)
        file.refuse("config", fmt::format("{} heads share {} of keys", probe.heads, probe.keyHeads));
}

void sortLayers(Probe& probe, const DumpFile& file)
{
    std::ranges::sort(probe.layers, {}, &ProbedLayer::number);
    if (probe.layers.empty() || probe.requests == 0)
        file.refuse("qk_cache", "holds no queries and keys");
}

Probe fromTorch(TensorFile content, const DumpFile& file)
{
    Probe probe{.file = std::move(content)};
    const auto& numbers = probe.file.numbers;
    readConfig(
        probe,
        [&](const char* name) {
            const auto found = numbers.find(fmt::format("config/{}", name));
            return found == numbers.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
        },
        file);
    constexpr std::string_view ending = "/layer_num";
    for (const auto& [name, number] : numbers) {
        if (!name.starts_with(cache) || !name.ends_with(ending))
            continue;
        const std::string module = name.substr(0, name.size() - ending.size());
        probe.layers.push_back({static_cast<std::int64_t>(number), module + "/q/", module + "/k_all/"});
        std::size_t requests = 0;
        while (probe.file.tensors.contains(fmt::format("{}/q/{}", module, requests)))
            ++requests;
        probe.requests = std::max(probe.requests, requests);
    }
    sortLayers(probe, file);
    return probe;
}

Probe fromPadded(TensorFile content, const DumpFile& file)
{
    const auto beside = file.companion(".json");
    if (!beside)
        throw Error(ErrorKind::Format, file.where(), "holds queries and keys of vLLM-Hook without their description",
                    "put qk.json, which was written with it, beside it");
    Probe probe{.file = std::move(content), .isPadded = true};
    const JsonObject meta(*beside);
    const JsonObject config = meta.requireObject("config");
    readConfig(
        probe, [&](const char* name) { return config.numberOr(name, std::numeric_limits<double>::quiet_NaN()); }, file);
    constexpr std::size_t mostLayersOfProbe = 1024;
    for (const JsonObject& layer : meta.requireObjects("layer_order", mostLayersOfProbe))
        probe.layers.push_back({layer.requireInt("layer_num", std::int64_t{0}, std::int64_t{1} << 20),
                                layer.requireString("key_q"), layer.requireString("key_k")});
    if (meta.has("seq_lens")) {
        for (const Json& length : meta.requireList("seq_lens")) {
            const auto number = indexIn(length, std::int64_t{1} << 24);
            if (!number)
                meta.refuse("seq_lens", "lengths");
            probe.lengths.push_back(*number);
        }
    }
    if (!probe.layers.empty()) {
        const auto found = probe.file.tensors.find(probe.layers.front().queries);
        if (found != probe.file.tensors.end() && !found->second.shape.empty())
            probe.requests = static_cast<std::size_t>(found->second.shape.front());
    }
    sortLayers(probe, file);
    return probe;
}

// Rows of vectors of one request.
struct ProbedRows
{
    std::int64_t rows = 0;
    std::vector<float> values;
};

ProbedRows rowsOf(const Probe& probe, const std::string& name, std::size_t request, std::int64_t width,
                  const DumpFile& file)
{
    const std::string whole = probe.isPadded ? name : name + std::to_string(request);
    const auto found = probe.file.tensors.find(whole);
    if (found == probe.file.tensors.end())
        file.refuse(whole, "is missing");
    Shape shape = found->second.shape;
    if (probe.isPadded && !shape.empty())
        shape.erase(shape.begin());
    if (shape.size() == 1) // of the last token alone
        shape.insert(shape.begin(), 1);
    if (shape.size() != 2 || shape[1] != width)
        file.refuse(
            whole,
            fmt::format("has shape [{}], expected rows of {} numbers", fmt::join(found->second.shape, ", "), width));
    ProbedRows result{shape[0], found->second.floats()};
    if (probe.isPadded) {
        const auto size = static_cast<std::size_t>(shape[0] * width);
        const std::size_t begin = request * size;
        const bool isShort = shape[0] > 1 && request < probe.lengths.size();
        result.rows = isShort ? std::min(probe.lengths[request], shape[0]) : shape[0];
        if (begin + size > result.values.size())
            file.refuse(whole, fmt::format("has no request {}", request));
        result.values = {result.values.begin() + static_cast<std::ptrdiff_t>(begin),
                         result.values.begin() + static_cast<std::ptrdiff_t>(begin + size)};
    }
    return result;
}

// Softmax of the products of a query with the keys up to `last`.
void attend(std::span<const float> query, const ProbedRows& keys, std::int64_t keyBegin, std::int64_t last,
            const Probe& probe, std::span<float> weights)
{
    const std::int64_t stride = probe.keyHeads * probe.width;
    float most = -std::numeric_limits<float>::infinity();
    for (std::int64_t key = 0; key <= last; ++key) {
        double product = 0;
        for (std::int64_t i = 0; i < probe.width; ++i)
            product += double{query[static_cast<std::size_t>(i)]}
                * keys.values[static_cast<std::size_t>(key * stride + keyBegin + i)];
        weights[static_cast<std::size_t>(key)] = static_cast<float>(product * probe.scale);
        most = std::max(most, weights[static_cast<std::size_t>(key)]);
    }
    double sum = 0;
    for (float& weight : weights.first(static_cast<std::size_t>(last + 1))) {
        weight = std::exp(weight - most);
        sum += weight;
    }
    for (float& weight : weights.first(static_cast<std::size_t>(last + 1)))
        weight = static_cast<float>(weight / sum);
}

// Maps of one request, with rows of all tokens, or with that of the last token alone.
DumpedSentence request(const Probe& probe, std::size_t number, const DumpFile& file)
{
    DumpedMaps maps;
    std::string layers;
    for (std::size_t layer = 0; layer < probe.layers.size(); ++layer) {
        const ProbedLayer& names = probe.layers[layer];
        const ProbedRows queries = rowsOf(probe, names.queries, number, probe.heads * probe.width, file);
        const ProbedRows keys = rowsOf(probe, names.keys, number, probe.keyHeads * probe.width, file);
        if (layer == 0)
            maps =
                zeroMaps(indexSize(probe.layers), static_cast<Index>(probe.heads),
                         static_cast<std::uint64_t>(queries.rows), static_cast<std::uint64_t>(keys.rows), file.where());
        if (queries.rows != maps.rows || keys.rows != maps.columns || queries.rows > keys.rows)
            file.refuse(names.queries, "has another number of tokens than the layers before");
        for (std::int64_t head = 0; head < probe.heads; ++head) {
            const std::int64_t keyBegin = head / (probe.heads / probe.keyHeads) * probe.width;
            for (std::int64_t row = 0; row < queries.rows; ++row) {
                const auto query = std::span(queries.values)
                                       .subspan(static_cast<std::size_t>((row * probe.heads + head) * probe.width),
                                                static_cast<std::size_t>(probe.width));
                const std::int64_t map = static_cast<std::int64_t>(layer) * probe.heads + head;
                const auto weights = std::span(maps.weights)
                                         .subspan(static_cast<std::size_t>((map * maps.rows + row) * maps.columns),
                                                  static_cast<std::size_t>(maps.columns));
                attend(query, keys, keyBegin, keys.rows - queries.rows + row, probe, weights);
            }
        }
        layers += fmt::format("{}{}", layers.empty() ? "" : ", ", names.number);
    }
    DumpedSentence sentence{.model = fmt::format("{} (layers {})", file.where(), layers)};
    sentence.maps.emplace(maps.rows == maps.columns ? Stage::Decoder : Stage::Cross, std::move(maps));
    return sentence;
}

bool isPadded(const TensorFile& content)
{
    return std::ranges::any_of(content.tensors, [&](const auto& tensor) {
        const std::string& name = tensor.first;
        return name.ends_with("__q") && content.tensors.contains(name.substr(0, name.size() - 1) + "k");
    });
}

bool isProbe(const DumpFile& file)
{
    if (!isTensorFile(file))
        return false;
    const TensorFile content = readTensorFile(file);
    return isPadded(content) || content.numbers.contains("config/attention_multiplier");
}

} // namespace

const DumpKind vllmHook = {
    "queries and keys of vLLM-Hook (qk.pt, qk.safetensors)", isProbe, [](const SharedDumpFile& file) {
        TensorFile content = readTensorFile(*file);
        const auto probe = std::make_shared<const Probe>(isPadded(content) ? fromPadded(std::move(content), *file)
                                                                           : fromTorch(std::move(content), *file));
        return Dump{probe->requests, [file, probe](std::size_t i) { return request(*probe, i, *file); }};
    }};

} // namespace attn
