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
std::span<const Family> gpt2Families();
std::span<const Family> llamaFamilies();
std::span<const Family> bartFamilies();
std::span<const Family> t5Families();
std::span<const Family> recurrentFamilies();
std::span<const Family> poolingFamilies();
std::span<const Family> lstmnFamilies();
std::span<const Family> hierarchicalFamilies();

namespace {

constexpr std::span<const Family> (*files[])() = {
    bertFamilies,      gpt2Families,    llamaFamilies, bartFamilies,         t5Families,
    recurrentFamilies, poolingFamilies, lstmnFamilies, hierarchicalFamilies,
};

// Types of models that are not run, though their tokenizers are read.
constexpr std::pair<std::string_view, TextFiles> otherTypes[] = {
    {"longformer", {.tokenizerClass = "Longformer"}},
    {"mobilebert", {.tokenizerClass = "MobileBert"}},
    {"umt5", {.tokenizerClass = "T5"}},
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
    std::string names;
    for (const Family& family : families())
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", family.modelType);
    if (!config.has("model_type"))
        throw Error(ErrorKind::Unsupported, config.where(), "has no model_type, which says what the model is",
                    fmt::format("add the one that it was trained as: {}", names));
    const std::string type = config.requireString("model_type");
    if (const Family* const family = findFamily(type))
        return *family;
    throw Error(ErrorKind::Unsupported, config.where(), fmt::format("model_type '{}' is not known", type),
                fmt::format("this version runs {}", names));
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
    return result;
}

} // namespace attn
