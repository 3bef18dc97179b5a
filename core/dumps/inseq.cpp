// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "checkpoint/stored_tensor.h"
#include "dumps/dump.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string_view>
#include <utility>
#include <zlib.h>

namespace attn {

namespace {

// FeatureAttributionOutput.save of inseq: objects are {"__instance_type__", "attributes"}, tensors a safetensors file
// in base64, of older versions {"__ndarray__", "dtype", "shape"} with lists or base64, packed with gzip ("b64.gz:").

std::vector<std::byte> fromBase64(std::string_view text, const std::string& where)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : text.substr(0, text.find('='))) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos)
            throw Error(ErrorKind::Format, where, "is no base64");
        bits = bits << 6U | static_cast<unsigned>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::byte>(bits >> count & 0xFFU));
        }
    }
    return bytes;
}

// Unpacks bytes of gzip, which must be exactly so many.
std::vector<std::byte> unpacked(std::span<const std::byte> packed, std::size_t size, const std::string& where)
{
    std::vector<std::byte> bytes(size);
    z_stream stream{};
    constexpr int gzipWindow = 15 + 16;
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    int ended = inflateInit2(&stream, gzipWindow);
    if (ended == Z_OK)
        ended = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (ended != Z_STREAM_END || stream.avail_out != 0)
        throw Error(ErrorKind::Format, where, "does not unpack to the size that its shape says");
    return bytes;
}

NestedNumbers ofTensor(const Tensor& tensor)
{
    return {tensor.shape(), {tensor.values().begin(), tensor.values().end()}};
}

NestedNumbers ofStored(std::string_view base64, const std::string& where)
{
    const std::vector<std::byte> file = fromBase64(base64, where);
    const StoredTensors tensors = readSafetensors(file, where);
    if (tensors.empty())
        throw Error(ErrorKind::Format, where, "holds no tensor");
    return ofTensor(toFloat32(tensors.begin()->second));
}

NestedNumbers ofNdarray(const JsonObject& array)
{
    const Json* const content = array.find("__ndarray__");
    if (content->is_array())
        return nestedNumbers(*content, array.where());
    const std::string type = array.requireString("dtype");
    const DType dtype = type == "float64" ? DType::F64 : type == "float16" ? DType::F16 : DType::F32;
    if (!content->is_string() || (dtype == DType::F32 && type != "float32"))
        array.refuse("dtype", "float16, float32 or float64");
    Shape shape;
    std::size_t values = 1;
    for (const Json& size : array.requireList("shape")) {
        const auto number = indexIn(size, std::int64_t{1} << 24);
        if (!number || values > limit(Limit::Json) / std::max<std::size_t>(static_cast<std::size_t>(*number), 1))
            array.refuse("shape", "sizes that fit into memory");
        shape.push_back(*number);
        values *= static_cast<std::size_t>(*number);
    }
    const std::string text = content->get<std::string>();
    const std::size_t begin = text.find(':') + 1; // 0: there is none
    const std::string place = array.where();
    std::vector<std::byte> bytes = fromBase64(std::string_view(text).substr(begin), place);
    const std::size_t size = storedBytes(dtype, values);
    requireMemory(size, place);
    if (text.starts_with("b64.gz:"))
        bytes = unpacked(bytes, size, place);
    if (bytes.size() != size)
        throw Error(ErrorKind::Format, place, fmt::format("holds {} bytes, expected {}", bytes.size(), size));
    return ofTensor(toFloat32(TensorView{dtype, shape, bytes}));
}

// An object's members, whether it names its class or not.
JsonObject attributesOf(const Json& json, const std::string& where)
{
    const JsonObject object(json, where);
    return object.has("attributes") ? object.requireObject("attributes") : object;
}

std::vector<std::string> tokensOf(const JsonObject& sequence, const char* side)
{
    std::vector<std::string> tokens;
    for (const Json& token : sequence.requireList(side)) {
        if (token.is_string())
            tokens.push_back(token.get<std::string>());
        else
            tokens.push_back(attributesOf(token, sequence.where()).requireString("token"));
    }
    return tokens;
}

// Scores [read, written, ...] as maps [layers, heads, written, read]: behind them layers, heads or both as their names
// say; what has no such name is a vector for each pair, of which the length counts, as inseq itself sums it up.
DumpedMaps attributions(const JsonObject& sequence, const char* name)
{
    const std::string where = sequence.where() + ": " + name;
    const Json& json = *sequence.find(name);
    const NestedNumbers scores = json.is_string() ? ofStored(json.get<std::string>(), where)
        : json.is_array()                         ? nestedNumbers(json, where)
                                                  : ofNdarray(JsonObject(json, where));
    const std::vector<std::int64_t>& shape = scores.shape;
    if (shape.size() < 2 || shape.size() > 4)
        throw Error(ErrorKind::Format, where, fmt::format("has shape [{}]", fmt::join(shape, ", ")),
                    "expected [read, written], with layers and heads behind them");
    std::string third;
    if (sequence.has("_attribution_dim_names")) {
        const JsonObject names = sequence.requireObject("_attribution_dim_names");
        if (names.has(name))
            third = names.requireObject(name).stringOr("2", {});
    }
    const std::int64_t behind = shape.size() > 2 ? shape[2] : 1;
    const std::int64_t last = shape.size() > 3 ? shape[3] : 1;
    const bool isLayer = contains(third, "Layer") || shape.size() == 4;
    const bool isHead = !isLayer && contains(third, "Head");
    const bool isVector = shape.size() == 3 && !isLayer && !isHead;
    DumpedMaps maps = zeroMaps(static_cast<Index>(isLayer ? behind : 1),
                               static_cast<Index>(isHead        ? behind
                                                      : isLayer ? last
                                                                : 1),
                               static_cast<std::uint64_t>(shape[1]), static_cast<std::uint64_t>(shape[0]), where);
    const std::int64_t pairs = behind * last;
    for (std::int64_t read = 0; read < shape[0]; ++read) {
        for (std::int64_t written = 0; written < shape[1]; ++written) {
            double squares = 0;
            for (std::int64_t map = 0; map < pairs; ++map) {
                float score = scores.values[static_cast<std::size_t>((read * shape[1] + written) * pairs + map)];
                score = std::isnan(score) ? 0 : score; // what comes later is not there
                squares += double{score} * score;
                if (!isVector)
                    maps.weights[static_cast<std::size_t>((map * shape[1] + written) * shape[0] + read)] = score;
            }
            if (isVector)
                maps.weights[static_cast<std::size_t>(written * shape[0] + read)] =
                    static_cast<float>(std::sqrt(squares));
        }
    }
    return maps;
}

// Maps of a text that was continued, from [all, written] to [all, all]: row i is the step that writes the token behind
// it, and rows of the prompt are empty.
DumpedMaps square(const DumpedMaps& written, const std::string& where)
{
    const Index size = written.columns;
    if (written.rows > size)
        throw Error(ErrorKind::Format, where, "has more tokens written than there are");
    DumpedMaps maps = zeroMaps(written.layers, written.heads, static_cast<std::uint64_t>(size),
                               static_cast<std::uint64_t>(size), where);
    const Index begin = std::max(size - written.rows - 1, 0);
    for (Index map = 0; map < written.layers * written.heads; ++map) {
        const auto from = written.weights.begin() + std::ptrdiff_t{map} * written.rows * size;
        std::copy_n(from, std::ptrdiff_t{written.rows} * size,
                    maps.weights.begin() + (std::ptrdiff_t{map} * size + begin) * size);
    }
    return maps;
}

DumpedSentence sequence(const DumpFile& file, const Json& json, std::size_t number)
{
    const JsonObject attributes = attributesOf(json, fmt::format("{}: sequence {}", file.where(), number));
    DumpedSentence sentence;
    if (attributes.has("source_attributions")) {
        sentence.source = tokensOf(attributes, "source");
        sentence.target = tokensOf(attributes, "target");
        DumpedMaps maps = attributions(attributes, "source_attributions");
        if (indexSize(sentence.target) > maps.rows) // from attr_pos_start on
            sentence.target.erase(sentence.target.begin(), sentence.target.end() - maps.rows);
        sentence.maps.emplace(Stage::Cross, std::move(maps));
    } else if (attributes.has("target_attributions")) {
        sentence.source = tokensOf(attributes, "target");
        sentence.maps.emplace(Stage::Decoder,
                              square(attributions(attributes, "target_attributions"), attributes.where()));
    }
    return sentence;
}

} // namespace

const DumpKind inseqAttribution = {"inseq attributions (JSON)",
                                   [](const DumpFile& file) {
                                       return file.looksLikeJson()
                                           && (namesKey(file.head(), "sequence_attributions")
                                               || contains(file.head(), "\"FeatureAttributionOutput\""));
                                   },
                                   [](const SharedDumpFile& file) {
                                       const JsonObject output = attributesOf(file->json(), file->where());
                                       const auto sequences =
                                           std::make_shared<const Json>(output.requireList("sequence_attributions"));
                                       return Dump{sequences->size(), [file, sequences](std::size_t i) {
                                                       return sequence(*file, (*sequences)[i], i);
                                                   }};
                                   }};

} // namespace attn
