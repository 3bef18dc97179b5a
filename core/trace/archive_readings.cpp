// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Readings of archives (formats.md section 9).
#include "base/index.h"
#include "trace/archive_parts.h"
#include "trace/kept_readings.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

namespace {

constexpr std::string_view ofStages[] = {"norms",     "norms_summed",       "value_zeroing", "value_zeroing_rollout",
                                         "gradients", "attention_gradients"};
constexpr std::string_view ofTokens[] = {"gradients", "times_gradients", "integrated_gradients", "lrp", "erasure"};
constexpr std::string_view others[] = {"decoder_direct",       "cross_direct",     "mlp_direct",  "embedding_direct",
                                       "rest_direct",          "lens_ids",         "lens_tokens", "lens_logprobs",
                                       "lens_answer_logprobs", "lens_answer_ranks"};

bool isAmong(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

bool isOfStage(std::string_view name)
{
    const auto line = std::min(name.find('_'), name.size());
    const std::string_view stage = name.substr(0, line);
    return (stage == "encoder" || stage == "decoder" || stage == "cross")
        && isAmong(ofStages, name.substr(std::min(line + 1, name.size())));
}

Json completenessJson(const ReadArray& array)
{
    const Completeness& path = *array.completeness;
    return {{"sum", path.sum}, {"difference", path.difference}, {"settled", path.settled()}};
}

Json notesOf(const ReadArray& array, const ReadingAbout& about)
{
    Json notes{{"reading", array.method}};
    if (about.of || about.all)
        notes["of"] = about.all ? Json("all") : Json(*about.of);
    if (about.against)
        notes["against"] = *about.against;
    if (array.steps)
        notes["steps"] = *array.steps;
    if (!array.baseline.empty())
        notes["baseline"] = array.baseline;
    if (!array.erase.empty())
        notes["erase"] = array.erase;
    return notes;
}

// Number of a field; none where there is none that fits.
std::optional<int> numberIn(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_unsigned()
        || found->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<int>::max()})
        return std::nullopt;
    return found->get<int>();
}

std::string textIn(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<Completeness> completenessIn(const Json& json)
{
    const auto sum = json.is_object() ? json.find("sum") : json.end();
    const auto difference = json.is_object() ? json.find("difference") : json.end();
    if (sum == json.end() || difference == json.end() || !sum->is_number() || !difference->is_number())
        return std::nullopt;
    return Completeness{sum->get<double>(), difference->get<double>()};
}

// Readings of an archive that a trace keeps.
class ReadingReader
{
public:
    ReadingReader(ArchiveArrays& arrays, const Json& metadata, ReadingSizes sizes)
        : m_arrays(arrays)
        , m_metadata(metadata)
        , m_sizes(sizes)
    {
    }

    KeptReadings read()
    {
        for (const auto& [name, notes] : m_metadata.at("readings").items()) {
            if (!isReadingName(name) || !notes.is_object() || textIn(notes, "reading").empty())
                continue;
            if (NpyStream* const array = m_arrays.find(name))
                add(name, notes, *array);
        }
        return std::move(m_kept);
    }

private:
    void add(const std::string& name, const Json& notes, NpyStream& stored)
    {
        checkShape(name, stored.shape());
        ReadArray array{.shape = stored.shape(), .values = {}};
        array.method = textIn(notes, "reading");
        array.steps = numberIn(notes, "steps");
        array.baseline = textIn(notes, "baseline");
        array.erase = textIn(notes, "erase");
        if (name == "lens_ids" || name == "lens_answer_ranks") {
            array.whole = stored.all().integers();
            if (NpyStream* const texts = name == "lens_ids" ? m_arrays.find("lens_tokens") : nullptr;
                texts != nullptr && texts->shape() == array.shape)
                array.texts = texts->all().texts();
        } else {
            const auto values = stored.floats(stored.size());
            array.values.assign(values.begin(), values.end());
        }
        ReadingAbout about{
            .of = numberIn(notes, "of"), .all = textIn(notes, "of") == "all", .against = numberIn(notes, "against")};
        if (isOfTokens(name) && (about.all || array.shape.size() == 2))
            return addRows(name, array, about);
        about.all = false;
        array.completeness = completenessOf(name, 0);
        keep(name, std::move(array), about);
    }

    // Rows of all positions; those of a text that goes on begin with one about which nothing is said.
    void addRows(const std::string& name, const ReadArray& array, ReadingAbout about)
    {
        const auto columns = static_cast<std::size_t>(array.shape.back());
        const auto rows = static_cast<int>(array.shape.size() == 2 ? array.shape.front() : 1);
        const bool isOne = rows == 1 && about.of;
        for (int row = isOne ? 0 : m_sizes.firstPosition; row < rows; ++row) {
            ReadArray one = array;
            one.shape = {array.shape.back()};
            const auto* const first = array.values.data() + static_cast<std::size_t>(row) * columns;
            one.values.assign(first, first + columns);
            one.completeness = completenessOf(name, static_cast<std::size_t>(row));
            keep(name, std::move(one), {.of = isOne ? about.of : row, .against = about.against});
        }
        if (about.all)
            m_kept.computed.insert({array.method, {.of = {}, .all = true, .against = about.against}});
    }

    void keep(const std::string& name, ReadArray array, const ReadingAbout& about)
    {
        m_kept.computed.insert({array.method, about});
        m_kept.arrays[{name, about}] = std::make_shared<const ReadArray>(std::move(array));
    }

    std::optional<Completeness> completenessOf(const std::string& name, std::size_t row) const
    {
        const auto found = m_metadata.find("completeness");
        if (!name.ends_with("integrated_gradients") || found == m_metadata.end())
            return std::nullopt;
        if (!found->is_array())
            return completenessIn(*found);
        return row < found->size() ? completenessIn((*found)[row]) : std::nullopt;
    }

    void checkShape(const std::string& name, const NpyArray::Shape& shape) const
    {
        const auto refuse = [&](const std::string& expected) {
            m_arrays.refuse(name, fmt::format("has another shape than {}", expected));
        };
        const auto sourceSize = std::int64_t{m_sizes.source};
        const auto outputSize = std::int64_t{m_sizes.output};
        if (isOfTokens(name)) {
            const std::int64_t columns = name.starts_with("source_") ? sourceSize : outputSize;
            if (shape.empty() || shape.size() > 2 || shape.back() != columns
                || (shape.size() == 2 && shape.front() != outputSize && shape.front() != 1))
                refuse(fmt::format("[{0}] or [{1}, {0}]", columns, outputSize));
        } else if (isOfStage(name)) {
            const bool isEncoder = name.starts_with("encoder");
            const std::int64_t rows = isEncoder ? sourceSize : outputSize;
            const std::int64_t columns = name.starts_with("decoder") ? outputSize : sourceSize;
            const bool hasHeads =
                name.ends_with("_norms") || (name.ends_with("_gradients") && !name.ends_with("_attention_gradients"));
            if (shape.size() != (hasHeads ? 4U : 3U) || shape[shape.size() - 2] != rows || shape.back() != columns
                || shape.front() < 1 || shape.front() > mostLayers
                || (hasHeads && (shape[1] < 1 || shape[1] > mostHeads)))
                refuse(fmt::format("[layers,{} {}, {}]", hasHeads ? " heads," : "", rows, columns));
        } else if (name.starts_with("lens_")) {
            const bool hasTokens = name == "lens_ids" || name == "lens_logprobs";
            if (shape.size() != (hasTokens ? 3U : 2U) || shape.front() < 1 || shape.front() > mostLayers + 1
                || shape[1] != (m_sizes.output > 0 ? outputSize : sourceSize) || shape.back() < 1)
                refuse(hasTokens ? "[layers, rows, tokens]" : "[layers, rows]");
        } else if (const std::size_t axes = name == "decoder_direct" || name == "cross_direct" ? 2
                       : name == "mlp_direct"                                                  ? 1
                                                                                               : 0;
                   shape.size() != axes
                   || std::ranges::any_of(shape, [](std::int64_t size) { return size < 1 || size > mostLayers; })) {
            refuse(axes == 2 ? "[layers, heads]" : axes == 1 ? "[layers]" : "[]");
        }
    }

    ArchiveArrays& m_arrays;
    const Json& m_metadata;
    ReadingSizes m_sizes;
    KeptReadings m_kept;
};

} // namespace

bool isReadingName(std::string_view name)
{
    const bool isToken = isOfTokens(name) && isAmong(ofTokens, name.substr(name.find('_') + 1));
    return isToken || isOfStage(name) || isAmong(others, name);
}

WrittenArray writtenArray(const std::shared_ptr<const ReadArray>& array)
{
    static constexpr std::size_t together = std::size_t{1} << 16U;
    const std::vector<float>& values = array->values;
    if (!array->whole.empty())
        return NpyArray::fromIntegers(array->shape, array->whole);
    if (values.size() <= together)
        return NpyArray::fromFloats(array->shape, values);
    NumberVector<float> sample;
    for (std::size_t i = 0; i < values.size(); i += values.size() / (together / 16))
        sample.push_back(values[i]);
    const auto parts = [array]() -> NumberParts {
        return [array, rest = std::span(array->values)]() mutable {
            const auto part = rest.first(std::min(rest.size(), together));
            rest = rest.subspan(part.size());
            return NumberVector<float>(part.begin(), part.end());
        };
    };
    return {array->shape, parts, std::move(sample)};
}

void addReadings(WrittenArrays& arrays, Json& metadata, const Trace& trace)
{
    if (!trace.readings())
        return;
    const KeptReadings& kept = *trace.readings();
    const int first = trace.firstStepToken();
    for (auto at = kept.arrays.begin(); at != kept.arrays.end();) {
        const std::string& name = at->first.first;
        auto end = at;
        while (end != kept.arrays.end() && end->first.first == name)
            ++end;
        // Positions that a reading is about: all of them, or the last that is there.
        const auto last = std::prev(end);
        std::shared_ptr<const ReadArray> written = last->second;
        ReadingAbout about = last->first.second;
        Json completeness = written->completeness ? completenessJson(*written) : Json();
        if (isOfTokens(name)
            && kept.computed.contains({written->method, {.of = {}, .all = true, .against = about.against}})) {
            ReadArray every = *written;
            every.values.assign(static_cast<std::size_t>(first) * static_cast<std::size_t>(every.shape.back()), 0.0F);
            completeness = Json(Json::array_t(static_cast<std::size_t>(first)));
            std::int64_t rows = first;
            for (; at != end; ++at) {
                if (at->first.second.against != about.against)
                    continue;
                const ReadArray& row = *at->second;
                every.values.insert(every.values.end(), row.values.begin(), row.values.end());
                completeness.push_back(row.completeness ? completenessJson(row) : Json());
                ++rows;
            }
            every.shape.insert(every.shape.begin(), rows);
            written = std::make_shared<const ReadArray>(std::move(every));
            about = {.of = {}, .all = true, .against = about.against};
        }
        arrays.emplace(name, writtenArray(written));
        if (!written->texts.empty())
            arrays.emplace("lens_tokens", NpyArray::fromTexts(written->shape, written->texts));
        metadata["readings"][name] = notesOf(*written, about);
        if (last->second->completeness)
            metadata["completeness"] = completeness;
        at = end;
    }
}

std::shared_ptr<const KeptReadings> readReadings(ArchiveArrays& arrays, const Json& metadata, ReadingSizes sizes)
{
    const auto found = metadata.find("readings");
    if (found == metadata.end() || !found->is_object())
        return nullptr;
    KeptReadings kept = ReadingReader(arrays, metadata, sizes).read();
    return kept.arrays.empty() ? nullptr : std::make_shared<const KeptReadings>(std::move(kept));
}

} // namespace attn
