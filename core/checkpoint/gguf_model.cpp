// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf_model.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

namespace {

struct GgmlType
{
    std::uint32_t number = 0;
    std::string_view name;
    DType type = DType::Other; // not read
};

constexpr GgmlType ggmlTypes[] = {
    {0, "F32", DType::F32},
    {1, "F16", DType::F16},
    {2, "Q4_0", DType::Q4_0},
    {3, "Q4_1", DType::Q4_1},
    {4, "Q4_2"},
    {5, "Q4_3"},
    {6, "Q5_0", DType::Q5_0},
    {7, "Q5_1", DType::Q5_1},
    {8, "Q8_0", DType::Q8_0},
    {9, "Q8_1"},
    {10, "Q2_K", DType::Q2_K},
    {11, "Q3_K", DType::Q3_K},
    {12, "Q4_K", DType::Q4_K},
    {13, "Q5_K", DType::Q5_K},
    {14, "Q6_K", DType::Q6_K},
    {15, "Q8_K"},
    {16, "IQ2_XXS"},
    {17, "IQ2_XS"},
    {18, "IQ3_XXS"},
    {19, "IQ1_S"},
    {20, "IQ4_NL", DType::IQ4_NL},
    {21, "IQ3_S"},
    {22, "IQ2_S"},
    {23, "IQ4_XS", DType::IQ4_XS},
    {24, "I8", DType::I8},
    {25, "I16", DType::I16},
    {26, "I32", DType::I32},
    {27, "I64", DType::I64},
    {28, "F64", DType::F64},
    {29, "IQ1_M"},
    {30, "BF16", DType::BF16},
    {31, "Q4_0_4_4"},
    {32, "Q4_0_4_8"},
    {33, "Q4_0_8_8"},
    {34, "TQ1_0"},
    {35, "TQ2_0"},
    {39, "MXFP4", DType::MXFP4},
    {40, "NVFP4"},
    {41, "Q1_0"},
    {42, "Q2_0"},
};

// Throws Error{Unsupported} naming the type where it is not read.
DType dtypeOf(const GgufTensor& tensor, const std::string& where)
{
    const auto* const row = std::ranges::find(ggmlTypes, tensor.type, &GgmlType::number);
    const bool isKnown = row != std::end(ggmlTypes);
    if (isKnown && row->type != DType::Other)
        return row->type;
    throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", where, tensor.name),
                fmt::format("is quantised as {}, which is not read",
                            isKnown ? std::string(row->name) : fmt::format("type {}", tensor.type)),
                "use a GGUF file in F16, Q8_0, Q4_0, Q4_K or another of the types in the documentation");
}

// "blk.3.attn_q.weight": layer "3", part "attn_q", ending ".weight".
struct StoredName
{
    std::string_view layer; // empty outside layers
    std::string_view part;
    std::string_view ending;
};

StoredName split(std::string_view name)
{
    constexpr std::string_view block = "blk.";
    StoredName result;
    if (name.starts_with(block)) {
        const auto dot = name.find('.', block.size());
        if (dot != std::string_view::npos) {
            result.layer = name.substr(block.size(), dot - block.size());
            name.remove_prefix(dot + 1);
        }
    }
    const auto dot = name.rfind('.');
    result.part = name.substr(0, dot);
    result.ending = dot == std::string_view::npos ? std::string_view() : name.substr(dot);
    return result;
}

// The name as it is where Hugging Face has none.
std::string translate(const GgufLayout& layout, const std::string& stored)
{
    const StoredName name = split(stored);
    const auto& list = name.layer.empty() ? layout.whole : layout.inLayer;
    std::string part(name.part);
    std::string number; // of an expert: "ffn_up.7"
    const std::size_t dot = part.rfind('.');
    if (dot != std::string::npos && part.find_first_not_of("0123456789", dot + 1) == std::string::npos) {
        number = part.substr(dot + 1);
        part.replace(dot + 1, std::string::npos, "#");
    }
    const auto found = std::ranges::find(list, part, &GgufName::stored);
    if (found == list.end())
        return stored;
    std::string translated = found->name + (found->isWhole ? std::string() : std::string(name.ending));
    if (const std::size_t mark = translated.find('#'); mark != std::string::npos)
        translated.replace(mark, 1, number);
    return name.layer.empty() ? translated : fmt::format("{}{}.{}", layout.layers, name.layer, translated);
}

// The other way round: llama.cpp's name of one of Hugging Face's, which the file need not hold.
std::string storedName(const GgufLayout& layout, std::string_view translated)
{
    std::string layer;
    std::string name(translated);
    if (!layout.layers.empty() && name.starts_with(layout.layers)) {
        const std::size_t begin = layout.layers.size();
        const std::size_t dot = name.find('.', begin);
        if (dot == std::string::npos)
            return name;
        layer = fmt::format("blk.{}.", name.substr(begin, dot - begin));
        name.erase(0, dot + 1);
    }
    for (const GgufName& row : layer.empty() ? layout.whole : layout.inLayer) {
        if (row.isWhole && name == row.name)
            return layer + row.stored + ".weight";
        const std::size_t dot = name.rfind('.');
        if (!row.isWhole && dot != std::string::npos && name.substr(0, dot) == row.name)
            return layer + row.stored + name.substr(dot);
    }
    return std::string(translated);
}

const GgufLayout& layoutOf(const GgufMetadata& metadata, std::span<const GgufLayout> layouts)
{
    const std::string& name = metadata.architecture();
    const auto found = std::ranges::find(layouts, name, &GgufLayout::architecture);
    if (found != layouts.end() && found->refused.empty())
        return *found;
    std::vector<std::string_view> known;
    for (const GgufLayout& layout : layouts) {
        if (layout.refused.empty())
            known.push_back(layout.architecture);
    }
    const std::string reason = found == layouts.end() ? "" : fmt::format(": it has {}", found->refused);
    throw Error(ErrorKind::Unsupported, metadata.where(),
                name.empty() ? "names no architecture"
                             : fmt::format("is a GGUF file of the architecture {}, which is not read{}", name, reason),
                fmt::format("these are: {}", fmt::join(known, ", ")));
}

// llama.cpp turns neighbouring features of a head together (2i, 2i + 1), Hugging Face features of its two halves
// (i, i + D/2): the order of a head's rows differs.
std::vector<Axis> halvesFromNeighbours(const GgufTensor& tensor, std::int64_t heads)
{
    const std::int64_t rows = tensor.shape.front();
    const std::int64_t columns = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
    const std::int64_t features = rows / heads;
    return {{heads, features * columns}, {2, columns}, {features / 2, 2 * columns}, {columns, 1}};
}

// Makes the tensors of one file.
class Translator
{
public:
    Translator(const GgufFile& file, const GgufLayout& layout, GgufHeads heads)
        : m_file(file)
        , m_layout(layout)
        , m_heads(heads)
    {
    }

    StoredTensors translateAll()
    {
        StoredTensors tensors;
        for (const GgufTensor& stored : m_file.tensors()) {
            const auto [position, inserted] = tensors.emplace(translate(m_layout, stored.name), place(stored));
            if (!inserted)
                m_file.refuse(stored.name, fmt::format("means {}, which is there already", position->first));
        }
        checkOverlaps();
        return tensors;
    }

private:
    StoredTensor place(const GgufTensor& stored)
    {
        const DType dtype = dtypeOf(stored, m_file.where());
        const std::int64_t inner = stored.shape.empty() ? 1 : stored.shape.back();
        const auto block = static_cast<std::int64_t>(valuesPerBlock(dtype));
        if (inner % block != 0)
            m_file.refuse(stored.name, fmt::format("has rows of {} values, not a multiple of {}", inner, block));
        const auto blocks = static_cast<std::uint64_t>(elementCount(stored.shape) / block);
        if (blocks > stored.bytes.size() / blockBytes(dtype))
            m_file.refuse(stored.name,
                          fmt::format("needs {} blocks of {} bytes, but the file ends {} bytes after its start", blocks,
                                      blockBytes(dtype), stored.bytes.size()));
        StoredTensor result{{dtype, stored.shape, stored.bytes.first(blocks * blockBytes(dtype))}, {}, {}};
        m_extents.emplace_back(result.view.bytes, stored.name);
        arrange(stored, result);
        return result;
    }

    void arrange(const GgufTensor& stored, StoredTensor& result) const
    {
        const StoredName name = split(stored.name);
        if (name.layer.empty() || stored.shape.empty() || stored.shape.size() > 2)
            return;
        const bool query = name.part == "attn_q";
        if (m_layout.neighbouringPairs && (query || name.part == "attn_k")) {
            const std::int64_t heads = query ? m_heads.queries : m_heads.keys;
            if (stored.shape.front() % (2 * heads) != 0)
                m_file.refuse(stored.name,
                              fmt::format("has {} rows, which the {} heads of its metadata do not divide into pairs",
                                          stored.shape.front(), heads));
            result.axes = halvesFromNeighbours(stored, heads);
        }
    }

    void checkOverlaps()
    {
        std::ranges::sort(m_extents, {}, [](const auto& extent) { return extent.first.data(); });
        for (std::size_t i = 1; i < m_extents.size(); ++i) {
            const auto& [before, name] = m_extents[i - 1];
            const auto& [bytes, next] = m_extents[i];
            if (before.data() + before.size() > bytes.data())
                m_file.refuse(next, fmt::format("overlaps {}", name));
        }
    }

    const GgufFile& m_file;
    const GgufLayout& m_layout;
    GgufHeads m_heads;
    std::vector<std::pair<std::span<const std::byte>, std::string_view>> m_extents; // with the tensors' names
};

// Ids that do not fit into the vocabulary are left out: some files carry them for a tokenizer that was changed.
void addTokens(Json& json, const GgufFile& file, std::int64_t vocabulary)
{
    const auto id = [&](const char* key) {
        const auto value = file.integer(key);
        return value && *value >= 0 && *value < vocabulary ? value : std::nullopt;
    };
    if (const auto first = id("tokenizer.ggml.bos_token_id"))
        json["bos_token_id"] = *first;
    if (const auto padding = id("tokenizer.ggml.padding_token_id"))
        json["pad_token_id"] = *padding;
    const auto last = id("tokenizer.ggml.eos_token_id");
    const auto turn = id("tokenizer.ggml.eot_token_id");
    if (last && turn && *last != *turn)
        json["eos_token_id"] = {*last, *turn};
    else if (last)
        json["eos_token_id"] = *last;
}

// Throws Error{Format} for parts that do not belong together, or are not all.
void checkParts(std::span<const GgufFile> files)
{
    std::int64_t tensors = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto count = files[i].integer("split.count").value_or(1);
        if (count != std::ssize(files))
            files[i].refuse("split.count", fmt::format("is {}, but {} files have its name", count, files.size()));
        if (files.size() > 1 && files[i].integer("split.no") != static_cast<std::int64_t>(i))
            files[i].refuse("split.no", fmt::format("is not {}, as its name says", i));
        tensors += std::ssize(files[i].tensors());
    }
    const auto said = files.front().integer("split.tensors.count");
    if (files.size() > 1 && said && *said != tensors)
        files.front().refuse("split.tensors.count", fmt::format("is {}, but the parts hold {}", *said, tensors));
}

} // namespace

bool isGguf(std::span<const std::byte> file)
{
    constexpr std::string_view magic = "GGUF";
    return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).starts_with(magic);
}

GgufModel readGgufModel(std::span<const GgufPart> parts, std::span<const GgufLayout> layouts)
{
    std::vector<GgufFile> files;
    for (const GgufPart& part : parts)
        files.emplace_back(part.bytes, part.where);
    checkParts(files);
    const GgufMetadata metadata(files);
    const GgufLayout& layout = layoutOf(metadata, layouts);
    std::vector<StoredTensors> tensors;
    for (const GgufFile& file : files)
        tensors.push_back(Translator(file, layout, metadata.heads()).translateAll());
    Json config = layout.config(metadata);
    config.emplace("model_type", layout.modelType);
    const std::int64_t vocabulary = metadata.rows("token_embd.weight");
    config["vocab_size"] = vocabulary;
    addTokens(config, files.front(), vocabulary);
    return {JsonObject::parse(config.dump(), files.front().where()), std::move(tensors),
            [layout](std::string_view name) { return storedName(layout, name); }};
}

GgufMetadata::GgufMetadata(std::span<const GgufFile> parts)
    : m_file(parts.front())
    , m_parts(parts)
    , m_architecture(m_file.text("general.architecture").value_or(""))
{
}

std::optional<std::int64_t> GgufMetadata::optionalSize(std::string_view name) const
{
    constexpr std::int64_t largest = 1 << 24;
    constexpr std::string_view byLayer[] = {"attention.head_count", "attention.head_count_kv", "feed_forward_length"};
    const bool lists = m_file.isList(key(name)) && std::ranges::find(byLayer, name) != std::end(byLayer);
    constexpr std::string_view mayBeNone[] = {"attention.sliding_window", "expert_count"}; // where it is 0, as in Phi-4
    const auto value = lists ? sameInAllLayers(name) : m_file.integer(key(name));
    if (value == 0 && std::ranges::find(mayBeNone, name) != std::end(mayBeNone))
        return std::nullopt;
    if (value && (*value < 1 || *value > largest))
        m_file.refuse(key(name), fmt::format("is {}, not from 1 to {}", *value, largest));
    return value;
}

// Some keys hold a number for each layer.
std::int64_t GgufMetadata::sameInAllLayers(std::string_view name) const
{
    const auto values = m_file.integers(key(name));
    if (std::ranges::adjacent_find(*values, std::not_equal_to<>()) != values->end())
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", where(), key(name)),
                    "differs between layers, which is not read", "use a model whose layers are alike");
    if (const std::int64_t layers = size("block_count"); std::ssize(*values) != layers)
        m_file.refuse(key(name), fmt::format("has {} numbers for {} layers", values->size(), layers));
    return values->front();
}

std::int64_t GgufMetadata::size(std::string_view name) const
{
    const auto value = optionalSize(name);
    if (!value)
        m_file.refuse(key(name), "is missing");
    return *value;
}

std::optional<double> GgufMetadata::number(std::string_view name) const
{
    const auto value = m_file.number(key(name));
    if (value && !std::isfinite(*value))
        m_file.refuse(key(name), "is not a number");
    return value;
}

GgufHeads GgufMetadata::heads() const
{
    GgufHeads heads;
    heads.queries = size("attention.head_count");
    heads.keys = optionalSize("attention.head_count_kv").value_or(heads.queries);
    heads.features = optionalSize("attention.key_length").value_or(size("embedding_length") / heads.queries);
    if (const auto values = optionalSize("attention.value_length"); values && *values != heads.features)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", where(), key("attention.value_length")),
                    "keys and values of different widths are not read", "open the directory that it was made from");
    if (heads.features < 1)
        m_file.refuse(key("attention.head_count"), "is larger than the model is wide");
    return heads;
}

const GgufTensor* GgufMetadata::find(std::string_view name) const
{
    for (const GgufFile& part : m_parts) {
        const auto found = std::ranges::find(part.tensors(), name, &GgufTensor::name);
        if (found != part.tensors().end())
            return &*found;
    }
    return nullptr;
}

std::int64_t GgufMetadata::rows(std::string_view matrix) const
{
    const GgufTensor* const found = find(matrix);
    if (found == nullptr || found->shape.size() != 2)
        throw Error(ErrorKind::Format, where(), fmt::format("holds no matrix {}", matrix),
                    "the file is incomplete or damaged");
    return found->shape.front();
}

std::vector<float> GgufMetadata::numbers(std::string_view tensor, std::int64_t count) const
{
    const GgufTensor* const found = find(tensor);
    if (found == nullptr || found->type != 0 || found->shape != std::vector<std::int64_t>{count}
        || found->bytes.size() / sizeof(float) < static_cast<std::size_t>(count))
        m_file.refuse(tensor, fmt::format("is not a list of {} f32 values", count));
    std::vector<float> values(count);
    std::memcpy(values.data(), found->bytes.data(), values.size() * sizeof(float));
    return values;
}

} // namespace attn
