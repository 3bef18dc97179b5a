// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"

#include "base/error.h"
#include "base/plain_text.h"
#include "base/utf8.h"
#include "io/json.h"
#include "models/transformer.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

extern const ReadingMethod rolloutMethod;
extern const ReadingMethod normsMethod;
extern const ReadingMethod valueZeroingMethod;
extern const ReadingMethod valueZeroingRolloutMethod;
extern const ReadingMethod gradientsMethod;
extern const ReadingMethod attentionGradientsMethod;
extern const ReadingMethod inputGradientsMethod;
extern const ReadingMethod integratedGradientsMethod;
extern const ReadingMethod erasureMethod;
extern const ReadingMethod lensMethod;
extern const ReadingMethod directMethod;
extern const ReadingMethod relevanceMethod;

namespace {

std::shared_ptr<const ReadArray> keptOf(ReadArray array, const std::string& method)
{
    array.method = method;
    return std::make_shared<const ReadArray>(std::move(array));
}

} // namespace

std::span<const ReadingMethod* const> readingMethods()
{
    static constexpr const ReadingMethod* rows[] = {&rolloutMethod,        &normsMethod,
                                                    &valueZeroingMethod,   &valueZeroingRolloutMethod,
                                                    &gradientsMethod,      &attentionGradientsMethod,
                                                    &inputGradientsMethod, &integratedGradientsMethod,
                                                    &erasureMethod,        &lensMethod,
                                                    &directMethod,         &relevanceMethod};
    return rows;
}

ReadingResults computeReadings(ExplainedRun& run, std::span<const ReadingMethod* const> methods)
{
    ReadingResults results;
    for (const ReadingMethod* const method : methods) {
        std::string lack = method->ofOutput ? run.nothingToExplain() : std::string();
        if (lack.empty())
            lack = method->lack(run);
        if (lack.empty() && run.options().ofAll && method->ofOutput && !method->ofEach)
            lack = "it is about one position of the output";
        if (!lack.empty()) {
            results.absent[method->id] = lack;
            continue;
        }
        method->compute(run, results);
        for (const auto& [name, array] : results.arrays)
            results.methods.try_emplace(name, method->id);
    }
    return results;
}

const ReadingMethod& readingMethod(std::string_view id)
{
    return **std::ranges::find(readingMethods(), id, &ReadingMethod::id);
}

void keep(KeptReadings& kept, const ExplainedRun& run, std::span<const ReadingMethod* const> methods,
          ReadingResults results)
{
    kept.lacks.insert(results.absent.begin(), results.absent.end());
    const auto aboutOf = [](const ExplainedOutput& output) {
        return ReadingAbout{.of = output.position, .against = output.against};
    };
    for (const ReadingMethod* const method : methods) {
        if (!results.absent.contains(method->id) && !method->ofOutput)
            kept.computed.insert({method->id, {}});
        for (const ExplainedOutput& output : run.explained()) {
            if (!results.absent.contains(method->id) && method->ofOutput)
                kept.computed.insert({method->id, aboutOf(output)});
        }
    }
    for (auto& [name, array] : results.arrays) {
        const std::string& method = results.methods.at(name);
        if (!isOfTokens(name)) {
            const bool explains = readingMethod(method).ofOutput;
            kept.arrays[{name, explains ? aboutOf(run.explained().front()) : ReadingAbout()}] =
                keptOf(std::move(array), method);
            continue;
        }
        // One row for each position, behind rows about which nothing is said.
        const auto found = results.positions.find(name);
        const std::vector<ExplainedOutput>& outputs =
            found == results.positions.end() ? run.explained() : found->second;
        const auto rows = static_cast<std::size_t>(array.shape.size() == 1 ? 1 : array.shape.front());
        const auto columns = static_cast<std::size_t>(array.shape.back());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            kept.computed.insert({method, aboutOf(outputs[i])});
            const std::size_t row = rows - outputs.size() + i;
            ReadArray one{.shape = {array.shape.back()}, .values = {}};
            one.steps = array.steps;
            one.baseline = array.baseline;
            one.erase = array.erase;
            const auto values = std::span(array.values).subspan(row * columns, columns);
            one.values.assign(values.begin(), values.end());
            if (name.ends_with("integrated_gradients") && row < results.completeness.size())
                one.completeness = results.completeness[row];
            kept.arrays[{name, aboutOf(outputs[i])}] = keptOf(std::move(one), method);
        }
    }
}

std::string readingMetadata(const ExplainedRun& run, const ReadingResults& results)
{
    Json readings = Json::object();
    const ReadingOptions& options = run.options();
    for (const auto& [name, array] : results.arrays) {
        const std::string& id = results.methods.at(name);
        const auto method = std::ranges::find(readingMethods(), id, &ReadingMethod::id);
        Json one{{"reading", id}};
        if ((*method)->ofOutput) {
            one["of"] = options.ofAll ? Json("all") : Json(run.explained().front().position);
            if (run.explained().front().against)
                one["against"] = *run.explained().front().against;
        }
        if (array.steps)
            one["steps"] = *array.steps;
        if (!array.baseline.empty())
            one["baseline"] = array.baseline;
        if (!array.erase.empty())
            one["erase"] = array.erase;
        readings[name] = one;
    }
    if (!results.absent.empty())
        readings["absent"] = results.absent;
    Json metadata{{"readings", readings}};
    Json completeness = Json::array();
    for (const auto& one : results.completeness)
        completeness.push_back(
            one ? Json{{"sum", one->sum}, {"difference", one->difference}, {"settled", one->settled()}} : Json());
    if (!completeness.empty())
        metadata["completeness"] = options.ofAll ? completeness : completeness.front();
    return metadata.dump();
}

std::string transformersOnly(const ExplainedRun& run)
{
    return run.info().architecture.form == Architecture::Form::Transformer
        ? std::string()
        : ATTN_TRANSLATE_NOOP("attn::ui", "it is defined for Transformers only");
}

std::string differentiableOnly(const ExplainedRun& run)
{
    if (run.info().hardAttention)
        return ATTN_TRANSLATE_NOOP("attn::ui", "hard attention chooses one place: its choice has no gradient");
    return run.info().architecture.form != Architecture::Form::Lstmn
        ? std::string()
        : ATTN_TRANSLATE_NOOP("attn::ui", "this form of model is not differentiated");
}

std::string differentiableMapsOnly(const ExplainedRun& run)
{
    const Architecture::Form form = run.info().architecture.form;
    const std::string lack = differentiableOnly(run);
    if (!lack.empty() || form == Architecture::Form::Transformer || form == Architecture::Form::Recurrent)
        return lack;
    return ATTN_TRANSLATE_NOOP("attn::ui", "the rows of this attention are no tokens");
}

std::string stageArray(Stage stage, const char* what)
{
    return std::string(stageText(stage)) + '_' + what;
}

std::vector<std::vector<const RecordedAttention*>> attentionsOf(const Recording& recording, Stage stage)
{
    std::vector<std::vector<const RecordedAttention*>> layers;
    for (const RecordedAttention& attention : recording.attentions) {
        if (attention.site.stage != stage)
            continue;
        layers.resize(std::max<std::size_t>(layers.size(), static_cast<std::size_t>(attention.site.layer) + 1));
        layers[attention.site.layer].push_back(&attention);
    }
    return layers;
}

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
