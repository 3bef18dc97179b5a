// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_site.h"

#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace attn {

namespace {

// Numbers that may follow the name of a site.
enum class SiteParts : std::uint8_t { None, Layer, LayerAndHead };

struct SiteRow
{
    const char* name;
    const char* method;
    const char* array;
    SiteParts parts = SiteParts::None;
};

constexpr SiteRow siteRows[] = {{"norms", "norms", "cross_norms", SiteParts::LayerAndHead},
                                {"value_zeroing", "value_zeroing", "cross_value_zeroing", SiteParts::Layer},
                                {"rollout", "rollout", "cross_rollout"},
                                {"lrp", "lrp", "source_lrp"},
                                {"input", "input_gradients", "source_gradients"}};

constexpr const char* summed = "sum"; // over heads

std::string formOf(const SiteRow& row)
{
    constexpr const char* parts[] = {"", ":LAYER", ":LAYER:HEAD"};
    return row.name + std::string(parts[static_cast<std::size_t>(row.parts)]);
}

int numberBelow(std::string_view text, int count, const char* what, const std::string& where)
{
    const auto number = parsedNumber<int>(text);
    if (!number || *number < 0 || *number >= count)
        throw Error(ErrorKind::Input, where,
                    fmt::format("'{}' is no {} of cross attention, 0 to {}", text, what, count - 1));
    return *number;
}

} // namespace

std::optional<ReadingSite> parseReadingSite(std::string_view text, const ModelInfo& info, const std::string& where)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = text; parts.empty() || !rest.empty();) {
        parts.push_back(rest.substr(0, rest.find(':')));
        rest.remove_prefix(std::min(parts.back().size() + 1, rest.size()));
    }
    const auto* const row = std::ranges::find(siteRows, parts.front(), &SiteRow::name);
    if (row == std::end(siteRows))
        return std::nullopt;
    if (parts.size() != static_cast<std::size_t>(row->parts) + 1)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is not of the form {}", text, formOf(*row)));
    const auto method = std::ranges::find(readingMethods(), std::string_view(row->method), &ReadingMethod::id);
    ReadingSite site{std::string(text), *method, row->array};
    if (parts.size() > 1)
        site.layer = numberBelow(parts[1], info.crossLayers, "layer", where);
    if (parts.size() > 2 && parts[2] == summed)
        site.array += "_summed";
    else if (parts.size() > 2)
        site.head = numberBelow(parts[2], info.crossHeads, "head", where);
    return site;
}

std::string readingSiteForms()
{
    std::string forms;
    for (const SiteRow& row : siteRows)
        forms += (forms.empty() ? "" : ", ") + formOf(row);
    return forms;
}

std::vector<ReadingSite> readingSites(const ModelInfo& info)
{
    std::vector<std::string> texts;
    for (int layer = 0; layer < info.crossLayers; ++layer) {
        for (const SiteRow& row : siteRows) {
            if (row.parts == SiteParts::Layer)
                texts.push_back(fmt::format("{}:{}", row.name, layer));
            if (row.parts != SiteParts::LayerAndHead)
                continue;
            for (int head = 0; head < info.crossHeads; ++head)
                texts.push_back(fmt::format("{}:{}:{}", row.name, layer, head));
            texts.push_back(fmt::format("{}:{}:{}", row.name, layer, summed));
        }
    }
    for (const SiteRow& row : siteRows) {
        if (row.parts == SiteParts::None)
            texts.emplace_back(row.name);
    }
    std::vector<ReadingSite> sites;
    for (const std::string& text : texts)
        sites.push_back(parseReadingSite(text, info, text).value());
    return sites;
}

std::optional<Numbers> matrixOf(const ReadingSite& site, const ReadingResults& results)
{
    const auto found = results.arrays.find(site.array);
    if (found == results.arrays.end())
        return std::nullopt;
    const ReadArray& array = found->second;
    const auto rows = static_cast<Index>(array.shape[array.shape.size() - 2]);
    const auto columns = static_cast<Index>(array.shape.back());
    const auto layers = array.shape.size() > 2 ? static_cast<int>(array.shape.front()) : 1;
    const auto heads = array.shape.size() > 3 ? static_cast<int>(array.shape[1]) : 1;
    const auto map = static_cast<std::size_t>(site.layer.value_or(layers - 1) * heads + site.head.value_or(0));
    Numbers matrix = Numbers::unset(1, rows, columns);
    const std::size_t size = matrix.values.size();
    std::transform(array.values.data() + map * size, array.values.data() + (map + 1) * size, matrix.values.begin(),
                   [](float value) { return std::max(value, 0.0F); });
    return matrix;
}

} // namespace attn
