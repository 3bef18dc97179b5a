// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "io/json.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr std::int64_t boxNumbers = 4;
constexpr std::int64_t spanNumbers = 2;
constexpr std::int64_t colours = 3;

NpyArray arrayOf(std::span<const TimeSpan> times)
{
    std::vector<float> values;
    for (const TimeSpan& time : times)
        values.insert(values.end(), {time.begin, time.end});
    return NpyArray::fromFloats({std::ssize(times), spanNumbers}, values);
}

NpyArray arrayOf(std::span<const PictureBox> boxes)
{
    std::vector<float> values;
    for (const PictureBox& box : boxes)
        values.insert(values.end(), {box.left, box.top, box.right, box.bottom});
    return NpyArray::fromFloats({std::ssize(boxes), boxNumbers}, values);
}

// Seconds of each token; NaN where it has none.
std::vector<TimeSpan> timesOf(const ArchiveArrays& arrays, const char* name, NpyStream& array)
{
    std::vector<TimeSpan> times;
    for (std::int64_t i = 0; i < array.shape()[0]; ++i) {
        const auto values = array.floats(spanNumbers);
        const bool isNowhere = std::isnan(values[0]) && std::isnan(values[1]);
        if (!isNowhere && !(std::isfinite(values[0]) && std::isfinite(values[1]) && values[0] <= values[1]))
            arrays.refuse(name, fmt::format("hold no seconds for token {}", i),
                          "write where it begins and ends, or NaN");
        times.push_back({values[0], values[1]});
    }
    return times;
}

// Samples of a second of source_audio.
int rateOf(const std::string& about)
{
    constexpr int usual = 16000; // of every model that reads speech
    constexpr int most = 1000000;
    if (about.empty())
        return usual;
    return JsonObject::parse(about, "metadata: audio").optionalInt("sampling_rate", 1, most).value_or(usual);
}

// The places of a source, and what they lie in.
class PlacesReader
{
public:
    PlacesReader(ArchiveArrays& arrays, std::optional<Encoding>& source)
        : m_arrays(arrays)
        , m_source(source)
    {
    }

    std::shared_ptr<const SourceMedia> read(std::string about)
    {
        NpyStream* const grid = m_arrays.find("source_grid", {2});
        NpyStream* const spans = m_arrays.find("source_spans", {"columns", spanNumbers});
        if (grid == nullptr && spans == nullptr) {
            for (const char* const name : {"source_boxes", "source_image"})
                if (m_arrays.find(name) != nullptr)
                    m_arrays.refuse(name, "is there without source_grid", "add source_grid, rows and columns");
            return nullptr;
        }
        if (grid != nullptr && spans != nullptr)
            m_arrays.refuse("source_spans", "are of a sound, and source_grid is of a picture", "leave one of them out");
        SourceMedia media;
        media.about = std::move(about);
        if (grid != nullptr)
            readPicture(*grid, media);
        else
            readSound(*spans, media);
        return std::make_shared<const SourceMedia>(std::move(media));
    }

private:
    // Tokens that are not named are counted by what is there of them.
    Encoding& tokens(std::int64_t places)
    {
        if (!m_source) {
            std::int64_t size = places;
            for (const char* const name : {"encoder_attentions", "cross_attentions"}) {
                if (const NpyStream* const map = m_arrays.find(name); map != nullptr && !map->shape().empty())
                    size = map->shape().back();
            }
            if (size < places || size > places + std::numeric_limits<Index>::max() / 2)
                m_arrays.refuse("source_grid", fmt::format("has {} cells, the maps have {} columns", places, size));
            m_source = Encoding();
            m_source->ids.assign(static_cast<std::size_t>(size), noTokenId);
        }
        m_source->spans.clear();
        m_source->text.clear();
        return *m_source;
    }

    void readPicture(NpyStream& grid, SourceMedia& media)
    {
        constexpr std::int64_t most = std::int64_t{1} << 20U;
        const std::vector<std::int64_t> sizes = grid.all().integers();
        if (sizes[0] < 1 || sizes[1] < 1 || sizes[0] > most || sizes[1] > most || sizes[0] * sizes[1] > most)
            m_arrays.refuse("source_grid",
                            fmt::format("holds [{}, {}], expected rows and columns", sizes[0], sizes[1]));
        media.rows = static_cast<Index>(sizes[0]);
        media.columns = static_cast<Index>(sizes[1]);
        const std::int64_t places = sizes[0] * sizes[1];
        Encoding& source = tokens(places);
        if (indexSize(source) < places)
            m_arrays.refuse("source_grid",
                            fmt::format("has {} x {} cells, the source {} tokens", sizes[0], sizes[1], source.size()));
        const auto specials = source.size() - static_cast<std::size_t>(places);
        const bool named = !source.tokens.empty();
        source.special.assign(source.size(), false);
        source.words.assign(source.size(), noWord);
        source.boxes.assign(source.size(), {nowhere, nowhere, nowhere, nowhere});
        source.tokens.resize(source.size());
        for (std::size_t i = 0; i < source.size(); ++i) {
            source.special[i] = i < specials;
            const auto place = static_cast<Index>(i) - static_cast<Index>(specials);
            source.ids[i] = i < specials ? noTokenId : place;
            if (i < specials) {
                if (!named)
                    source.tokens[i] = fmt::format("[{}]", i);
                continue;
            }
            const Index row = place / media.columns;
            const Index column = place % media.columns;
            source.words[i] = place;
            if (!named)
                source.tokens[i] = fmt::format("{},{}", row, column);
            source.boxes[i] = {share(column, media.columns), share(row, media.rows), share(column + 1, media.columns),
                               share(row + 1, media.rows)};
        }
        readBoxes(source);
        readPixels(media);
        readInput("pixel_values", {colours, "height", "width"}, media);
    }

    static float share(Index part, Index all) { return static_cast<float>(part) / static_cast<float>(all); }

    void readBoxes(Encoding& source)
    {
        constexpr const char* name = "source_boxes";
        NpyStream* const array = m_arrays.find(name, {std::ssize(source.ids), boxNumbers});
        if (array == nullptr)
            return;
        for (std::size_t i = 0; i < source.size(); ++i) {
            const auto values = array->floats(boxNumbers);
            const bool isNowhere = std::ranges::all_of(values, [](float value) { return std::isnan(value); });
            const bool isBox = std::ranges::all_of(values, [](float value) { return std::isfinite(value); })
                && values[0] < values[2] && values[1] < values[3];
            if (!isBox && !isNowhere)
                m_arrays.refuse(name, fmt::format("hold no rectangle for token {}", i),
                                "write left, top, right and bottom as fractions of the picture, or NaN");
            source.boxes[i] = {values[0], values[1], values[2], values[3]};
            source.special[i] = isNowhere;
            source.words[i] = isNowhere ? noWord : source.words[i];
        }
    }

    void readPixels(SourceMedia& media)
    {
        constexpr const char* name = "source_image";
        constexpr std::int64_t longest = 30000;
        NpyStream* const array = m_arrays.find(name, {"height", "width", colours});
        if (array == nullptr)
            return;
        const auto& shape = array->shape();
        if (shape[0] < 1 || shape[1] < 1 || shape[0] > longest || shape[1] > longest)
            m_arrays.refuse(name,
                            fmt::format("is {} x {}, expected 1 to {} pixels a side", shape[1], shape[0], longest));
        if (array->kind() != NpyKind::Unsigned || array->itemSize() != 1)
            m_arrays.refuse(name, "is not uint8");
        const NpyArray pixels = array->all();
        auto picture =
            std::make_shared<Picture>(Picture{static_cast<Index>(shape[1]), static_cast<Index>(shape[0]), {}});
        std::ranges::transform(pixels.bytes(), std::back_inserter(picture->rgb),
                               [](std::byte value) { return static_cast<std::uint8_t>(value); });
        media.picture = std::move(picture);
    }

    void readSound(NpyStream& spans, SourceMedia& media)
    {
        Encoding& source = tokens(spans.shape()[0]);
        if (std::ssize(source.ids) != spans.shape()[0])
            m_arrays.refuse("source_spans",
                            fmt::format("are {}, the source has {} tokens", spans.shape()[0], source.size()));
        source.times = timesOf(m_arrays, "source_spans", spans);
        const bool named = !source.tokens.empty();
        source.special.assign(source.size(), false);
        source.words.assign(source.size(), noWord);
        source.tokens.resize(source.size());
        Index place = 0;
        for (std::size_t i = 0; i < source.size(); ++i) {
            const TimeSpan& time = source.times[i];
            source.special[i] = !time.isPlace();
            source.ids[i] = source.special[i] ? noTokenId : place;
            source.words[i] = source.special[i] ? noWord : place++;
            if (!named)
                source.tokens[i] = source.special[i] ? fmt::format("[{}]", i) : fmt::format("{:.2f}", time.begin);
        }
        if (NpyStream* const array = m_arrays.find("source_audio", {"samples"})) {
            const auto samples = array->floats(array->size());
            if (!std::ranges::all_of(samples, [](float value) { return std::isfinite(value); }))
                m_arrays.refuse("source_audio", "holds what is no number");
            media.audio = std::make_shared<const std::vector<float>>(samples.begin(), samples.end());
            media.rate = rateOf(media.about);
        }
        readInput("input_features", {"bands", "frames"}, media);
    }

    void readInput(const char* name, std::initializer_list<ArchiveArrays::Dimension> expected, SourceMedia& media)
    {
        NpyStream* const array = m_arrays.find(name, expected);
        if (array == nullptr)
            return;
        const auto& shape = array->shape();
        Numbers values{static_cast<Index>(shape[shape.size() - 2]), static_cast<Index>(shape.back()),
                       array->floats(array->size()), static_cast<Index>(shape.size() > 2 ? shape.front() : 1)};
        media.input = std::make_shared<const Numbers>(std::move(values));
    }

    ArchiveArrays& m_arrays;
    std::optional<Encoding>& m_source;
};

} // namespace

void addPlaces(WrittenArrays& arrays, const Trace& trace, const ArchiveOptions& options)
{
    if (const Encoding target = trace.target(options.leaf); !target.times.empty())
        arrays.emplace("target_spans", arrayOf(target.times));
    const auto& media = trace.media();
    if (!media)
        return;
    const Encoding& source = trace.source();
    if (media->isPicture()) {
        const std::int64_t grid[] = {media->rows, media->columns};
        arrays.emplace("source_grid", NpyArray::fromIntegers({2}, grid));
        arrays.emplace("source_boxes", arrayOf(source.boxes));
    } else {
        arrays.emplace("source_spans", arrayOf(source.times));
    }
    if (options.media && media->picture)
        arrays.emplace(
            "source_image",
            NpyArray::fromBytes({media->picture->height, media->picture->width, colours}, media->picture->rgb));
    if (options.media && media->audio)
        arrays.emplace("source_audio", NpyArray::fromFloats({std::ssize(*media->audio)}, *media->audio));
    if (options.hidden && media->input) {
        const Numbers& input = *media->input;
        NpyArray::Shape shape{input.rows, input.columns};
        if (media->isPicture())
            shape.insert(shape.begin(), input.heads);
        arrays.emplace(media->isPicture() ? "pixel_values" : "input_features",
                       NpyArray::fromFloats(shape, input.values));
    }
}

std::shared_ptr<const SourceMedia> readPlaces(ArchiveArrays& arrays, std::optional<Encoding>& source, std::string about)
{
    return PlacesReader(arrays, source).read(std::move(about));
}

void addMatch(WrittenArrays& arrays, const Trace& trace, const ArchiveOptions& options)
{
    std::vector<float> gates;
    for (const auto& step : trace.path(options.leaf)) {
        if (step->gate)
            gates.push_back(*step->gate);
    }
    if (!gates.empty())
        arrays.emplace("context_gates", NpyArray::fromFloats({std::ssize(gates)}, gates));
    for (Site site : trace.sites()) {
        if (site.stage != Stage::Pooling)
            continue;
        const auto add = [&](const char* name, auto rowOf) {
            std::vector<float> values;
            Numbers row;
            for (int head = 0; head < trace.heads(site); ++head) {
                row = rowOf(head);
                values.insert(values.end(), row.values.begin(), row.values.end());
            }
            if (!values.empty())
                arrays.emplace(name, NpyArray::fromFloats({trace.heads(site), row.columns}, values));
        };
        add("pooling_attentions", [&](int head) { return trace.matrix(site, head); });
        if (options.scores)
            add("pooling_scores", [&](int head) { return trace.scores(site, head); });
    }
    if (!trace.match())
        return;
    const PictureMatch& match = *trace.match();
    const auto addVector = [&](const char* name, const std::vector<float>& vector) {
        if (!vector.empty())
            arrays.emplace(name, NpyArray::fromFloats({std::ssize(vector)}, vector));
    };
    addVector("image_embedding", match.image);
    addVector("text_embedding", match.text);
    addVector("label_similarities", match.labelSimilarities);
    if (match.similarity)
        arrays.emplace("similarity", NpyArray::fromFloats({}, std::span(&*match.similarity, 1)));
}

void readMatch(ArchiveArrays& arrays, Index length, std::vector<std::string> labelTexts, ClassReading reading,
               TraceBuilder& builder)
{
    if (NpyStream* const weights = arrays.find("pooling_attentions", {"heads", length});
        weights && weights->size() > 0) {
        NpyStream* const scores = arrays.find("pooling_scores", {weights->shape()[0], length});
        const auto heads = static_cast<Index>(weights->shape()[0]);
        if (heads > mostHeads)
            arrays.refuse("pooling_attentions", fmt::format("has {} heads, more than are read", heads));
        AttentionMap map;
        map.site = {Stage::Pooling, 0};
        map.rowAxis = AttentionAxis::Text;
        map.weights = {1, length, weights->floats(weights->size()), heads};
        if (scores != nullptr)
            map.scores = {1, length, scores->floats(scores->size()), heads};
        builder.stored(std::move(map));
    }
    PictureMatch match;
    const auto vectorOf = [&](const char* name, ArchiveArrays::Dimension size) {
        NpyStream* const array = arrays.find(name, {size});
        const auto values = array != nullptr ? array->floats(array->size()) : NumberVector<float>();
        return std::vector<float>(values.begin(), values.end());
    };
    match.image = vectorOf("image_embedding", "features");
    match.text = vectorOf("text_embedding", "features");
    match.labelSimilarities = vectorOf("label_similarities", "labels");
    if (labelTexts.size() == match.labelSimilarities.size())
        match.labelTexts = std::move(labelTexts);
    match.reading = reading;
    if (NpyStream* const array = arrays.find("similarity", {}))
        match.similarity = array->floats(1).front();
    if (!match.image.empty() || !match.text.empty())
        builder.matched(match);
}

NumberVector<float> readGates(ArchiveArrays& arrays, Index targets)
{
    NpyStream* const array = arrays.find("context_gates", {targets});
    return array == nullptr ? NumberVector<float>() : array->floats(array->size());
}

void readTargetTimes(ArchiveArrays& arrays, Encoding& target)
{
    constexpr const char* name = "target_spans";
    if (NpyStream* const array = arrays.find(name, {std::ssize(target.ids), spanNumbers}))
        target.times = timesOf(arrays, name, *array);
}

} // namespace attn
