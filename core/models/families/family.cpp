// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/family.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

// Each is defined in its own file of this folder. Those that are named first stand first in messages.
std::span<const Family> bertFamilies();
std::span<const Family> modernBertFamilies();
std::span<const Family> debertaFamilies();
std::span<const Family> gpt2Families();
std::span<const Family> gptNeoXFamilies();
std::span<const Family> optFamilies();
std::span<const Family> bloomFamilies();
std::span<const Family> llamaFamilies();
std::span<const Family> gemmaFamilies();
std::span<const Family> phiFamilies();
std::span<const Family> mixtureFamilies();
std::span<const Family> deepSeekFamilies();
std::span<const Family> bartFamilies();
std::span<const Family> t5Families();
std::span<const Family> pairFamilies();
std::span<const Family> vitFamilies();
std::span<const Family> towerFamilies();
std::span<const Family> pictureWriterFamilies();
std::span<const Family> whisperFamilies();
std::span<const Family> captionerFamilies();
std::span<const Family> recurrentFamilies();
std::span<const Family> poolingFamilies();
std::span<const Family> lstmnFamilies();
std::span<const Family> hierarchicalFamilies();

namespace {

constexpr std::span<const Family> (*files[])() = {
    bertFamilies,    modernBertFamilies, debertaFamilies,   gpt2Families,    gptNeoXFamilies, optFamilies,
    bloomFamilies,   llamaFamilies,      gemmaFamilies,     phiFamilies,     mixtureFamilies, deepSeekFamilies,
    bartFamilies,    t5Families,         pairFamilies,      vitFamilies,     towerFamilies,   pictureWriterFamilies,
    whisperFamilies, captionerFamilies,  recurrentFamilies, poolingFamilies, lstmnFamilies,   hierarchicalFamilies,
};

// Types of models that are not run, though their tokenizers are read.
constexpr std::pair<std::string_view, TextFiles> otherTypes[] = {
    {"longformer", {.tokenizerClass = "Longformer"}},
    {"mobilebert", {.tokenizerClass = "MobileBert"}},
    {"umt5", {.tokenizerClass = "T5"}},
};

// A type that is refused by name, with the part of it that is not attention or not there.
struct RefusedType
{
    std::string_view modelType;
    const char* has = "";
    std::string_view gguf = {}; // llama.cpp's name of it
};

constexpr RefusedType refusedTypes[] = {
    {"bamba", "Mamba layers beside attention"},
    {"beit", "relative positions of patches"},
    {"big_bird", "random and block-sparse attention"},
    {"blip-2", "queries between picture and text"},
    {"convnext", "convolutions and no attention"},
    {"data2vec-vision", "relative positions of patches"},
    {"detr", "convolutions before its attention"},
    {"donut", "windows, so no one grid for all layers"},
    {"donut-swin", "windows, so no one grid for all layers"},
    {"falcon_h1", "Mamba beside attention in every layer", "falcon-h1"},
    {"falcon_mamba", "Mamba layers and no attention"},
    {"gemma3n", "embeddings in every layer, and keys that layers share", "gemma3n"},
    {"gemma3n_text", "embeddings in every layer, and keys that layers share"},
    {"gemma4", "embeddings in every layer, and keys that layers share", "gemma4"},
    {"gemma4_text", "embeddings in every layer, and keys that layers share"},
    {"git", "a picture before its text"},
    {"granitemoehybrid", "Mamba layers beside attention", "granitehybrid"},
    {"hubert", "sound as it is, without a spectrogram"},
    {"idefics3", "a picture before its text"},
    {"instructblip", "queries between picture and text"},
    {"internvl", "a picture before its text"},
    {"jamba", "Mamba layers beside attention", "jamba"},
    {"lfm2", "short convolutions beside attention", "lfm2"},
    {"lfm2_moe", "short convolutions beside attention"},
    {"llama4", "attention in chunks, and scales that follow the position", "llama4"},
    {"llama4_text", "attention in chunks, and scales that follow the position"},
    {"llava", "a picture before its text"},
    {"llava_next", "a picture before its text"},
    {"longformer", "attention to global tokens with projections of their own"},
    {"mamba", "Mamba layers and no attention", "mamba"},
    {"mamba2", "Mamba layers and no attention", "mamba2"},
    {"mllama", "a picture that its text looks at"},
    {"mobilevit", "convolutions around its attention"},
    {"mvit", "a pyramid of grids"},
    {"nemotron_h", "Mamba layers beside attention", "nemotron_h"},
    {"new", "code of its own, which is not run"},
    {"nomic_bert", "code of its own, which is not run", "nomic-bert"},
    {"paligemma", "a picture before its text"},
    {"pix2struct", "patches of any shape"},
    {"pvt", "a pyramid of grids"},
    {"qwen2_5_vl", "a picture before its text"},
    {"qwen2_vl", "a picture before its text", "qwen2vl"},
    {"qwen3_5", "gated delta networks beside attention", "qwen35"},
    {"qwen3_5_moe", "gated delta networks beside attention", "qwen35moe"},
    {"qwen3_5_text", "gated delta networks beside attention"},
    {"qwen3_next", "gated delta networks beside attention", "qwen3next"},
    {"qwen3_vl", "a picture before its text", "qwen3vl"},
    {"recurrent_gemma", "recurrent layers beside attention"},
    {"resnet", "convolutions and no attention"},
    {"rwkv", "recurrent layers and no attention", "rwkv7"},
    {"sam", "windows, so no one grid for all layers"},
    {"seamless_m4t", "several models of sound and text"},
    {"segformer", "a pyramid of grids"},
    {"siglip2", "patches of any shape"},
    {"smolvlm", "a picture before its text"},
    {"speecht5", "sound as it is, without a spectrogram"},
    {"swin", "windows, so no one grid for all layers"},
    {"swinv2", "windows, so no one grid for all layers"},
    {"t5gemma", "an encoder and a decoder of Gemma 2, which are not put together here"},
    {"wav2vec2", "sound as it is, without a spectrogram"},
    {"zamba2", "Mamba layers beside attention"},
};

} // namespace

std::vector<Family> families()
{
    std::vector<Family> result;
    for (const auto file : files)
        result.insert(result.end(), file().begin(), file().end());
    return result;
}

const Family* findFamily(std::string_view modelType)
{
    for (const auto file : files) {
        const auto rows = file();
        const auto found = std::ranges::find(rows, modelType, &Family::modelType);
        if (found != rows.end())
            return &*found;
    }
    return nullptr;
}

const Family& familyOf(const JsonObject& config)
{
    constexpr auto list = "attnscope models --types lists those that are run";
    if (!config.has("model_type"))
        throw Error(ErrorKind::Unsupported, config.where(), "has no model_type, which says what the model is",
                    fmt::format("add the one that it was trained as; {}", list));
    const std::string type = config.requireString("model_type");
    if (const Family* const family = findFamily(type))
        return *family;
    const auto* const refused = std::ranges::find(refusedTypes, type, &RefusedType::modelType);
    if (refused != std::end(refusedTypes))
        throw Error(ErrorKind::Unsupported, config.where(),
                    fmt::format("model_type '{}' is not run: it has {}", type, refused->has), list);
    throw Error(ErrorKind::Unsupported, config.where(), fmt::format("model_type '{}' is not known", type), list);
}

TextFiles textFilesOf(std::string_view modelType)
{
    if (const Family* const family = findFamily(modelType))
        return family->text;
    const auto other = std::ranges::find(otherTypes, modelType, [](const auto& row) { return row.first; });
    return other == std::end(otherTypes) ? TextFiles() : other->second;
}

std::vector<GgufLayout> ggufLayouts()
{
    std::vector<GgufLayout> result;
    for (const Family& family : families()) {
        if (family.gguf == nullptr)
            continue;
        result.push_back(family.gguf());
        result.back().modelType = family.modelType;
    }
    for (const RefusedType& type : refusedTypes) {
        if (!type.gguf.empty())
            result.push_back({.architecture = type.gguf, .refused = type.has});
    }
    return result;
}

} // namespace attn
