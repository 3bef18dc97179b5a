// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/tensor_file.h"
#include "trace/archive_parts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Arrays with a layer of attention each, or one with all of them, by names that say so: "blocks.3.attn.hook_pattern",
// "layer_3_attn_weights", "attentions/3", "cross_attentions". Those of a checkpoint end in "weight" or "bias".
constexpr std::array<std::string_view, 3> unmistakable = {"pattern", "attn_weights", "probs"};
constexpr std::array<std::string_view, 4> attentionWords = {"attn", "attention", "align", "arr_"};
constexpr std::array<std::string_view, 4> checkpointEndings = {"weight", "bias", "gamma", "beta"};
constexpr std::array<std::string_view, 5> idNames = {"input_ids", "source_ids", "token_ids", "tokens", "ids"};

template<std::size_t Count>
bool namesOneOf(std::string_view name, const std::array<std::string_view, Count>& words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return contains(name, word); });
}

std::string lowered(std::string_view name)
{
    std::string result(name);
    std::ranges::transform(result, result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return result;
}

// The numbers in a name: 3 and 2 in "layer_3_head_2".
std::vector<int> numbersIn(std::string_view name)
{
    constexpr int most = 100'000;
    std::vector<int> numbers;
    bool inside = false;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (digit && !inside)
            numbers.push_back(0);
        if (digit)
            numbers.back() = std::min(most, numbers.back() * 10 + (c - '0'));
        inside = digit;
    }
    return numbers;
}

// An item of a list or tuple that was saved as it is, or what was saved alone.
bool isItem(std::string_view name)
{
    return name.find_first_not_of("0123456789/") == std::string_view::npos;
}

bool hasMaps(const NamedTensor& tensor)
{
    return !tensor.isWhole && tensor.shape.size() >= 2 && tensor.shape.size() <= 5;
}

// Names of the arrays with attention; those that are so called beyond doubt, where there are such.
std::vector<std::string> attentionIn(const TensorFile& file)
{
    std::vector<std::string> sure;
    std::vector<std::string> likely;
    for (const auto& [name, tensor] : file.tensors) {
        const std::string lower = lowered(name);
        if (std::ranges::any_of(checkpointEndings, [&](std::string_view end) { return lower.ends_with(end); }))
            return {}; // of a model
        if (!hasMaps(tensor))
            continue;
        if (namesOneOf(lower, unmistakable))
            sure.push_back(name);
        else if (namesOneOf(lower, attentionWords) || isItem(name) || file.tensors.size() == 1)
            likely.push_back(name);
    }
    return sure.empty() ? likely : sure;
}

std::optional<Stage> stageNamed(std::string_view name)
{
    const std::string lower = lowered(name);
    for (const std::string_view word : {"cross", "encoder_attn", "encdec", "enc_dec"}) {
        if (contains(lower, word))
            return Stage::Cross;
    }
    return contains(lower, "encoder") ? std::optional(Stage::Encoder)
        : contains(lower, "decoder")  ? std::optional(Stage::Decoder)
                                      : std::nullopt;
}

struct Extents
{
    std::int64_t layers = 1;
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
};

// An array of one layer has the batch where one of all layers has these.
Extents extentsOf(const Shape& shape, bool ofLayer)
{
    Shape whole = shape;
    if (whole.size() == 4) // [batch, heads, ...] or [layers, heads, ...]
        whole.insert(whole.begin() + (ofLayer ? 0 : 1), 1);
    whole.insert(whole.begin(), 5 - whole.size(), 1);
    return {whole[0], whole[1], whole[2], whole[3], whole[4]};
}

// Arrays of one stage in the order of the numbers in their names, which are those of layers, or of a layer and a head.
struct MapArrays
{
    std::vector<std::pair<std::vector<int>, std::string>> arrays = {};
    Extents extents = {}; // of each
    std::vector<int> layers = {}; // their numbers; empty: one array has all
};

MapArrays groupOf(std::vector<std::string> names, const TensorFile& content, const DumpFile& file)
{
    MapArrays group;
    const Shape& shape = content.tensors.find(names.front())->second.shape;
    for (std::string& name : names) {
        const Shape& other = content.tensors.find(name)->second.shape;
        if (other != shape)
            file.refuse(name,
                        fmt::format("has shape [{}], other arrays of this attention [{}]", fmt::join(other, ", "),
                                    fmt::join(shape, ", ")));
        group.arrays.emplace_back(numbersIn(name), std::move(name));
    }
    std::ranges::sort(group.arrays);
    const auto& [numbers, name] = group.arrays.front();
    const bool areLayers = group.arrays.size() > 1 || (!numbers.empty() && !name.starts_with("arr_"));
    group.extents = extentsOf(shape, areLayers);
    for (const auto& array : group.arrays) {
        const int layer = array.first.empty() ? indexSize(group.layers) : array.first.front();
        if (areLayers && (group.layers.empty() || group.layers.back() != layer))
            group.layers.push_back(layer);
    }
    const bool areHeads = areLayers && group.layers.size() < group.arrays.size();
    if (areHeads && (shape.size() > 2 || group.arrays.size() % group.layers.size() != 0))
        file.refuse(name, "is one of several arrays of a layer, which have not as many heads in every layer");
    if (areHeads)
        group.extents.heads = std::ssize(group.arrays) / std::ssize(group.layers);
    return group;
}

using MapGroups = std::map<std::optional<Stage>, MapArrays>;

MapGroups groupsOf(const TensorFile& content, const DumpFile& file)
{
    std::map<std::optional<Stage>, std::vector<std::string>> names;
    for (const std::string& name : attentionIn(content))
        names[stageNamed(name)].push_back(name);
    MapGroups groups;
    for (auto& [stage, ofStage] : names)
        groups.emplace(stage, groupOf(std::move(ofStage), content, file));
    return groups;
}

// Maps of one entry of the batch.
DumpedMaps mapsOfGroup(const MapArrays& group, const TensorFile& content, std::int64_t entry, const DumpFile& file)
{
    const Extents& size = group.extents;
    constexpr std::int64_t most = 1 << 16; // layers, or heads
    const std::int64_t layers = group.layers.empty() ? size.layers : std::ssize(group.layers) * size.layers;
    if (size.batch < 1 || size.rows < 1 || size.columns < 1 || layers < 1 || layers > most || size.heads < 1
        || size.heads > most)
        file.refuse(group.arrays.front().second, "is empty or has too many layers or heads");
    DumpedMaps maps =
        zeroMaps(static_cast<Index>(layers), static_cast<Index>(size.heads), static_cast<std::uint64_t>(size.rows),
                 static_cast<std::uint64_t>(size.columns), file.where());
    auto to = maps.weights.begin();
    for (const auto& [numbers, name] : group.arrays) {
        const std::vector<float> values = content.tensors.find(name)->second.floats();
        const std::int64_t one = std::ssize(values) / (size.layers * size.batch); // of a layer and an entry
        for (std::int64_t layer = 0; layer < size.layers; ++layer)
            to = std::copy_n(values.begin() + (layer * size.batch + entry) * one, one, to);
    }
    return maps;
}

// The numbers of the layers where they are not 0, 1, 2, ...
std::string otherLayers(const MapArrays& group)
{
    std::vector<int> usual(group.layers.size());
    std::iota(usual.begin(), usual.end(), 0);
    return group.layers == usual ? std::string() : fmt::format("layers {}", fmt::join(group.layers, ", "));
}

std::vector<std::int64_t> idsOf(const TensorFile& content, std::size_t entry, Index size)
{
    for (const std::string_view name : idNames) {
        const auto found = content.tensors.find(name);
        if (found == content.tensors.end() || !found->second.integers || found->second.shape.empty()
            || found->second.shape.back() != size)
            continue;
        const std::vector<std::int64_t> ids = found->second.integers();
        const auto begin =
            static_cast<std::size_t>(found->second.shape.size() > 1 ? entry : 0) * static_cast<std::size_t>(size);
        if (begin + static_cast<std::size_t>(size) <= ids.size())
            return {ids.begin() + static_cast<std::ptrdiff_t>(begin),
                    ids.begin() + static_cast<std::ptrdiff_t>(begin) + size};
    }
    return {};
}

DumpedSentence sentence(const TensorFile& content, const MapGroups& groups, std::size_t entry, const DumpFile& file)
{
    DumpedSentence result;
    for (const auto& [named, group] : groups) {
        const std::int64_t last = group.extents.batch - 1;
        DumpedMaps maps = mapsOfGroup(group, content, std::min(static_cast<std::int64_t>(entry), last), file);
        const Stage stage = named ? *named : maps.rows == maps.columns ? ownStage(maps) : Stage::Cross;
        if (!result.maps.emplace(stage, std::move(maps)).second)
            file.refuse({}, "holds attention of one kind under names of two");
        if (const std::string layers = otherLayers(group); !layers.empty())
            result.model = fmt::format("{} ({})", file.where(), layers);
    }
    result.sourceIds = idsOf(content, entry, result.maps.begin()->second.columns);
    return result;
}

// Whether arrays have names of our own archives, which are read elsewhere.
bool holdsArchive(const TensorFile& content)
{
    return std::ranges::any_of(archiveNames, [&](std::string_view name) { return content.tensors.contains(name); });
}

bool isDump(const DumpFile& file)
{
    if (!isTensorFile(file))
        return false;
    const TensorFile content = readTensorFile(file);
    const bool isTensors = isSafetensors(file.bytes()) || !holdsArchive(content);
    return isTensors && !attentionIn(content).empty();
}

} // namespace

const DumpKind namedTensors = {
    "attention tensors by name (.safetensors, .pt, .npz)", isDump, [](const SharedDumpFile& file) {
        const auto content = std::make_shared<const TensorFile>(readTensorFile(*file));
        const auto groups = std::make_shared<const MapGroups>(groupsOf(*content, *file));
        std::int64_t size = 1;
        for (const auto& [stage, group] : *groups)
            size = std::max(size, group.extents.batch);
        return Dump{static_cast<std::size_t>(size),
                    [file, content, groups](std::size_t i) { return sentence(*content, *groups, i, *file); }};
    }};

} // namespace attn
