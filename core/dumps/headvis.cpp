// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/dump.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// Weights of one head, a sequence at a time, the largest of each row alone: indices are row * seq_len + column. A file
// of HeadVis has a list of sequences of a head under "sequences", Neuronpedia's answer is one, and its tables hold
// lists.
constexpr auto indices = "attention_indices";

Json sequencesOf(Json file)
{
    if (file.is_object() && file.contains("sequences"))
        return std::move(file["sequences"]);
    return file.is_object() ? Json::array({std::move(file)}) : file;
}

DumpedSentence sequence(const DumpFile& file, const Json& json, const std::string& place)
{
    const JsonObject object(json, fmt::format("{}: {}", file.where(), place));
    const Json& at = object.requireList(indices);
    const Json& weights = object.requireList("attention_values");
    DumpedSentence sentence;
    sentence.source = textsOf(object.requireList("tokens"), object.where());
    const std::size_t size = sentence.source.size();
    if (object.has("seq_len")
        && object.requireInt("seq_len", 0, std::int64_t{1} << 24) != static_cast<std::int64_t>(size))
        object.refuse("seq_len", fmt::format("the {} tokens", size));
    if (at.size() != weights.size())
        object.refuse("attention_values", fmt::format("as many numbers as {} has", indices));
    DumpedMaps maps = zeroMaps(1, 1, size, size, file.where());
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto cell = indexIn(at[i], static_cast<std::int64_t>(maps.weights.size()) - 1);
        if (!cell || !weights[i].is_number())
            object.refuse(indices, fmt::format("numbers below {} and weights", maps.weights.size()));
        maps.weights[static_cast<std::size_t>(*cell)] = weights[i].get<float>();
    }
    sentence.maps.emplace(Stage::Decoder, std::move(maps)); // both show decoder-only models
    return sentence;
}

} // namespace

const DumpKind headVis = {"HeadVis and Neuronpedia attention (JSON)",
                          [](const DumpFile& file) { return file.looksLikeJson() && namesKey(file.head(), indices); },
                          [](const SharedDumpFile& file) {
                              const auto sequences = std::make_shared<const Json>(sequencesOf(file->json()));
                              if (!sequences->is_array())
                                  file->refuse("sequences", "is no list");
                              return Dump{sequences->size(), [file, sequences](std::size_t i) {
                                              return sequence(*file, (*sequences)[i], fmt::format("sequence {}", i));
                                          }};
                          }};

} // namespace attn
