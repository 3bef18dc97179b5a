// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/archive.h"

#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "base/token_text.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/npz.h"
#include "trace/archive_parts.h"
#include "trace/site.h"
#include "trace/trace_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace attn {

namespace {

constexpr Stage stages[] = {Stage::Encoder, Stage::Decoder, Stage::Cross};

// --- writing ---

// Rows from all over the first head.
NumberVector<float> sampleOf(const Trace& trace, Site site, std::optional<StepId> leaf, MapPart part, Index rows)
{
    constexpr Index most = 16;
    NumberVector<float> sample;
    for (Index row = rows / most / 2; row < rows; row += std::max<Index>(1, rows / most)) {
        const Numbers one =
            part == MapPart::Scores ? trace.scores(site, 0, leaf, {row, 1}) : trace.matrix(site, 0, leaf, {row, 1});
        sample.insert(sample.end(), one.values.begin(), one.values.end());
    }
    return sample;
}

// All layers and heads of a stage, [layers, heads, rows, columns], a head at a time; none where there are none. `trace`
// is kept.
std::optional<WrittenArray> stack(const Trace& trace, Stage stage, std::optional<StepId> leaf, MapPart part,
                                  const std::stop_token& stop)
{
    std::vector<Site> sites;
    for (const Site& site : trace.sites()) {
        if (site.stage == stage && trace.rowAxis(site) == AttentionAxis::Tokens)
            sites.push_back(site);
    }
    if (sites.empty())
        return std::nullopt;
    const MatrixShape shape = trace.shape(sites.front(), leaf, part);
    if (shape.rows == 0 || shape.columns == 0)
        return std::nullopt;
    const int heads = trace.heads(sites.front());
    const NpyArray::Shape all{std::ssize(sites), heads, shape.rows, shape.columns};
    const auto parts = [trace, leaf, part, heads, stop, sites]() -> NumberParts {
        return [=, number = 0]() mutable {
            throwIfStopped(stop);
            const Site site = sites[static_cast<std::size_t>(number / heads)];
            const int head = number++ % heads;
            Numbers map = part == MapPart::Scores ? trace.scores(site, head, leaf) : trace.matrix(site, head, leaf);
            return std::move(map.values);
        };
    };
    return WrittenArray(all, parts, sampleOf(trace, sites.front(), leaf, part, shape.rows));
}

void addHidden(WrittenArrays& arrays, const char* name, const std::vector<Numbers>& layers)
{
    if (layers.empty() || std::ranges::any_of(layers, &Numbers::empty))
        return;
    std::vector<float> values;
    for (const Numbers& layer : layers)
        values.insert(values.end(), layer.values.begin(), layer.values.end());
    arrays.emplace(name,
                   NpyArray::fromFloats({std::ssize(layers), layers.front().rows, layers.front().columns}, values));
}

constexpr auto readingName = "class_reading"; // of metadata; where it is not there, one class is right
constexpr std::string_view readings[] = {"one of", "any of", "value"}; // by ClassReading

constexpr const char* mediaNames[] = {"image", "audio"}; // of metadata

ClassReading readingOf(const Trace& trace)
{
    return trace.classification()  ? trace.classification()->reading
        : trace.tokenPredictions() ? trace.tokenPredictions()->reading
        : trace.match()            ? trace.match()->reading
                                   : ClassReading::OneOf;
}

NpyArray metadataOf(const Trace& trace, const ArchiveOptions& options, WrittenArrays& arrays)
{
    const Provenance& provenance = trace.provenance();
    const Encoding inputs = trace.decoderInputs(options.leaf);
    const bool hasStart = provenance.kind != ModelKind::DecoderOnly && !inputs.tokens.empty();
    Json json{{"program", "AttnScope"},
              {"version", provenance.programVersion},
              {"model", provenance.model},
              {"model_type", provenance.modelType},
              {"kind", kindText(provenance.kind)},
              {"text", provenance.text},
              {"second_text", provenance.secondText ? Json(*provenance.secondText) : Json()},
              {"decoding", provenance.decoding},
              {"precision", provenance.precision},
              {"seed", provenance.seed},
              {"question", provenance.question.empty() ? Json() : parseJson(provenance.question, "question")},
              {"decoder_start", hasStart ? Json(inputs.tokens.front()) : Json()}};
    if (provenance.kind == ModelKind::DecoderOnly)
        json["prompt_tokens"] = trace.source().size();
    if (!provenance.prefixIds.empty())
        json["prefix_ids"] = provenance.prefixIds;
    if (!provenance.edits.empty())
        json["edits"] = provenance.edits;
    if (const auto reading = readingOf(trace); reading != ClassReading::OneOf)
        json[readingName] = readings[static_cast<std::size_t>(reading)];
    if (const auto& media = trace.media(); media && !media->about.empty())
        json[mediaNames[media->isPicture() ? 0 : 1]] = parseJson(media->about, "about");
    if (const auto& match = trace.match(); match && !match->labelTexts.empty())
        json["label_texts"] = match->labelTexts;
    if (!options.encoderMaps)
        json["encoder_maps"] = "off";
    if (!options.command.empty())
        json["command"] = options.command;
    addReadings(arrays, json, trace);
    if (!options.moreMetadata.empty())
        json.update(parseJson(options.moreMetadata, "metadata"));
    return NpyArray::fromText(writtenJson(json));
}

// Log-probabilities of the path's tokens, with NaN before them for a decoder-only model's first.
void addLogProbabilities(WrittenArrays& arrays, const Trace& trace, const Trace::Path& path)
{
    std::vector<float> logs;
    if (trace.kind() == ModelKind::DecoderOnly)
        logs.push_back(std::numeric_limits<float>::quiet_NaN());
    for (const auto& step : path)
        logs.push_back(step->step.logProbability);
    arrays.emplace("logprobs", NpyArray::fromFloats({std::ssize(logs)}, logs));
}

void addLogits(WrittenArrays& arrays, const Trace& trace, const Trace::Path& rows)
{
    auto logits = trace.sourceLogits(); // encoder-only
    for (const auto& step : rows)
        logits.push_back(step->logits);
    if (logits.empty() || std::ranges::find(logits, nullptr) != logits.end())
        return;
    const NpyArray::Shape shape{std::ssize(logits), std::ssize(*logits.front())};
    NumberVector<float> sample(logits.front()->begin(), logits.front()->end());
    const auto parts = [logits = std::move(logits)]() -> NumberParts {
        return [logits, row = std::size_t{0}]() mutable {
            const std::vector<float>& values = *logits[row++];
            return NumberVector<float>(values.begin(), values.end());
        };
    };
    arrays.emplace("logits", WrittenArray(shape, parts, std::move(sample)));
}

WrittenArrays arraysOf(const Trace& trace, const ArchiveOptions& options)
{
    WrittenArrays arrays;
    const bool decoderOnly = trace.kind() == ModelKind::DecoderOnly;
    Trace::Path path = trace.path(options.leaf);
    const Trace::Path rows = trace.rowPath(options.leaf);
    Encoding source = decoderOnly ? trace.sequence(options.leaf) : trace.source();
    // The last token of a hypothesis that was dropped, or stopped, was produced but not read: it has no row.
    if (decoderOnly && !path.empty() && !rows.empty() && source.size() == rows.size() + 1) {
        path.pop_back();
        source = partOf(source, 0, rows.size());
    }
    addTokens(arrays, ArchiveSide::Source, source);
    if (!trace.source().segments.empty()) {
        const std::vector<std::int64_t> segments(trace.source().segments.begin(), trace.source().segments.end());
        arrays.emplace("source_segments", NpyArray::fromIntegers({std::ssize(segments)}, segments));
    }
    if (!path.empty() && !decoderOnly)
        addTokens(arrays, ArchiveSide::Target, trace.target(options.leaf));
    if ((!path.empty() || decoderOnly) && !trace.readsOnly())
        addLogProbabilities(arrays, trace, path);
    if (options.logits)
        addLogits(arrays, trace, rows);
    for (const Stage stage : stages) {
        throwIfStopped(options.stop);
        if (stage == Stage::Encoder && !options.encoderMaps)
            continue;
        if (auto weights = stack(trace, stage, options.leaf, MapPart::Weights, options.stop))
            arrays.emplace(fmt::format("{}_attentions", stageText(stage)), std::move(*weights));
        if (!options.scores)
            continue;
        if (auto scores = stack(trace, stage, options.leaf, MapPart::Scores, options.stop))
            arrays.emplace(fmt::format("{}_scores", stageText(stage)), std::move(*scores));
    }
    addPlaces(arrays, trace, options);
    addMatch(arrays, trace, options);
    addSummaries(arrays, trace, options.scores);
    addSinksAndExperts(arrays, trace, options.leaf);
    if (options.hidden) {
        const bool alone = rows.empty() && !trace.provenance().towers; // there is no other side
        addHidden(arrays, alone ? "hidden_states" : "encoder_hidden_states", trace.hiddenStates(Stage::Encoder));
        addHidden(arrays, "hidden_states", trace.hiddenStates(Stage::Decoder, options.leaf));
    }
    for (const auto& [name, array] : options.more)
        arrays.emplace(name, writtenArray(array));
    arrays.emplace("metadata", metadataOf(trace, options, arrays));
    return arrays;
}

NpzWriter npzOf(const WrittenArrays& arrays, const std::stop_token& stop)
{
    NpzWriter npz;
    for (const auto& [name, written] : arrays) {
        throwIfStopped(stop);
        if (written.array)
            npz.add(name, *written.array);
        else
            npz.add(name, written.shape, written.parts(), written.sample);
    }
    return npz;
}

// --- reading ---

class ArchiveReader
{
public:
    ArchiveReader(const std::filesystem::path& path, ArchiveMemory& memory)
        : m_arrays(path, memory)
        , m_where(path.filename().string())
        , m_metadata(parseMetadata(m_arrays.find(std::string(metadataName))))
    {
    }
    // Content: bytes, or arrays in memory.
    template<class Content>
    ArchiveReader(Content content, const std::string& where, ArchiveMemory& memory)
        : m_arrays(std::move(content), where, memory)
        , m_where(where)
        , m_metadata(parseMetadata(m_arrays.find(std::string(metadataName))))
    {
    }

    Trace read()
    {
        std::optional<Encoding> source = readTokens(m_arrays, ArchiveSide::Source);
        std::optional<Encoding> target = readTokens(m_arrays, ArchiveSide::Target);
        const auto media = readPlaces(m_arrays, source, aboutMedia());
        if (target)
            readTargetTimes(m_arrays, *target);
        m_kind = kindOf(target);
        requireSides(source.has_value(), target.has_value());
        const bool decoderOnly = m_kind == ModelKind::DecoderOnly;
        Encoding read = source.value_or(Encoding());
        m_sourceLength = indexSize(read);
        read.segments = segments();
        Encoding output = decoderOnly ? read : target.value_or(Encoding());
        m_targetLength = indexSize(output);
        if (decoderOnly)
            read = partOf(output, 0, promptLength());
        const std::vector<TokenId> sourceIds = read.ids;
        std::vector<TokenId> targetIds = output.ids;
        TraceBuilder builder(std::move(read), nullptr, provenance());
        builder.setOutput(std::move(output));
        builder.setMedia(media);
        builder.begun(sourceIds, decoderOnly && !sourceIds.empty() ? std::optional(sourceIds.front()) : std::nullopt);
        if (!decoderOnly)
            builder.setDecoderStartText(metadataText("decoder_start").value_or("<start>"));
        for (const Stage stage : stages)
            addAttention(builder, stage);
        readSummaries(m_arrays, m_sourceLength, reading(), builder);
        addHidden(builder, "encoder_hidden_states", Stage::Encoder, m_sourceLength);
        const bool decodes = m_targetLength > 0;
        addHidden(builder, "hidden_states", decodes ? Stage::Decoder : Stage::Encoder,
                  decodes ? m_targetLength : m_sourceLength);
        addLogits(builder);
        if (decodes)
            readExperts(m_arrays, m_targetLength, builder);
        readMatch(m_arrays, m_sourceLength, metadataTexts("label_texts"), reading(), builder);
        const NumberVector<float> gates = readGates(m_arrays, m_targetLength);
        for (Index position = 0; position < indexSize(gates); ++position)
            builder.gated(0, position, gates[static_cast<std::size_t>(position)]);
        if (decoderOnly && !targetIds.empty())
            targetIds.erase(targetIds.begin());
        builder.finished(addSteps(builder, targetIds));
        const ReadingSizes sizes{m_sourceLength, m_targetLength, decoderOnly ? 1 : 0};
        auto readings = readReadings(m_arrays, m_metadata.json(), sizes);
        return readings ? builder.snapshot().with(std::move(readings)) : builder.snapshot();
    }

private:
    ModelKind kindOf(const std::optional<Encoding>& target)
    {
        if ((target && !target->ids.empty()) || m_arrays.find("cross_attentions") != nullptr)
            return ModelKind::EncoderDecoder;
        return m_arrays.find("decoder_attentions") == nullptr ? ModelKind::EncoderOnly : ModelKind::DecoderOnly;
    }

    void requireSides(bool source, bool target)
    {
        const auto require = [&](ArchiveSide side, std::initializer_list<const char*> users) {
            const auto user =
                std::ranges::find_if(users, [&](const char* name) { return m_arrays.find(name) != nullptr; });
            if (user != users.end())
                m_arrays.refuse(
                    arrayName(side, "ids"), fmt::format("is missing, which {} needs", *user),
                    fmt::format("add it, numpy.arange(n) where ids are not known, or {}", arrayName(side, "tokens")));
        };
        if (!target)
            require(ArchiveSide::Target, {"cross_attentions", "cross_scores"});
        if (!source)
            require(ArchiveSide::Source,
                    {"encoder_attentions", "encoder_scores", "cross_attentions", "cross_scores", "summary_attentions",
                     "encoder_hidden_states"});
        if (!source && !target)
            require(ArchiveSide::Source, {"decoder_attentions", "decoder_scores", "hidden_states", "logits"});
        if (!source && !target)
            m_arrays.refuse("source_ids", "is missing", "this is no attention archive");
    }

    std::vector<int> segments()
    {
        NpyStream* array = m_arrays.find("source_segments", {m_sourceLength});
        if (array == nullptr)
            return {};
        std::vector<int> result;
        for (const std::int64_t segment : array->all().integers()) {
            if (segment < 0 || segment > 1)
                m_arrays.refuse("source_segments", fmt::format("holds {}, expected 0 or 1", segment));
            result.push_back(static_cast<int>(segment));
        }
        return result;
    }

    // Metadata is for people: what is not the expected object is shown nowhere and harms nothing.
    static JsonObject parseMetadata(NpyStream* array)
    {
        const bool isText = array != nullptr && array->kind() == NpyKind::Text && array->size() == 1;
        const std::string text = isText ? array->all().texts().front() : "{}";
        const std::string where(metadataName);
        try {
            return JsonObject::parse(text, where);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw;
            return {Json::object(), where};
        }
    }

    std::optional<std::string> metadataText(const char* key) const
    {
        const Json* const found = m_metadata.find(key);
        return found != nullptr && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
    }

    std::vector<std::string> metadataTexts(const char* key) const
    {
        std::vector<std::string> texts;
        const Json* const found = m_metadata.find(key);
        if (found == nullptr || !found->is_array())
            return texts;
        for (const Json& text : *found) {
            if (text.is_string())
                texts.push_back(text.get<std::string>());
        }
        return texts;
    }

    std::string aboutMedia() const
    {
        for (const char* const key : mediaNames) {
            if (const Json* const found = m_metadata.find(key); found != nullptr && found->is_object())
                return writtenJson(*found);
        }
        return {};
    }

    ClassReading reading() const
    {
        const std::string name = metadataText(readingName).value_or("");
        const auto found = std::ranges::find(readings, name);
        return found == std::end(readings) ? ClassReading::OneOf
                                           : ClassReading{static_cast<std::uint8_t>(found - readings)};
    }

    Provenance provenance()
    {
        Provenance result;
        result.kind = m_kind;
        result.towers = m_arrays.find("image_embedding") != nullptr;
        result.programVersion = metadataText("version").value_or("");
        result.model = metadataText("model").value_or(m_where);
        result.modelType = metadataText("model_type").value_or("");
        result.text = metadataText("text").value_or("");
        result.secondText = metadataText("second_text");
        result.decoding = metadataText("decoding").value_or("");
        result.precision = metadataText("precision").value_or("");
        if (const Json* const seed = m_metadata.find("seed"); seed != nullptr && seed->is_number_unsigned())
            result.seed = seed->get<std::uint64_t>();
        if (const Json* const edits = m_metadata.find("edits"); edits != nullptr && edits->is_array()) {
            for (const Json& edit : *edits) {
                if (edit.is_string())
                    result.edits.push_back(edit.get<std::string>());
            }
        }
        if (const Json* const question = m_metadata.find("question"); question != nullptr && question->is_object())
            result.question = question->dump();
        result.prefixIds = metadataIds("prefix_ids");
        result.command = metadataText("command").value_or("");
        return result;
    }

    // Number of tokens of a decoder-only run that were read before any was produced; all where that is not known.
    Index promptLength() const
    {
        const Json* const found = m_metadata.find("prompt_tokens");
        const auto number = found != nullptr && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
        return number > 0 && std::cmp_less(number, m_targetLength) ? static_cast<Index>(number) : m_targetLength;
    }

    // Empty where there is no list of ids that the output begins with.
    std::vector<TokenId> metadataIds(const char* key) const
    {
        std::vector<TokenId> ids;
        const Json* const found = m_metadata.find(key);
        if (found == nullptr || !found->is_array() || indexSize(*found) > m_targetLength)
            return ids;
        for (const Json& id : *found) {
            const auto number = id.is_number_unsigned() ? id.get<std::uint64_t>() : ~std::uint64_t{0};
            if (number > std::uint64_t{std::numeric_limits<TokenId>::max()})
                return {};
            ids.push_back(static_cast<TokenId>(number));
        }
        return ids;
    }

    void requireAtMost(std::int64_t most, const char* what, std::int64_t found, const std::string& name) const
    {
        if (found > most)
            m_arrays.refuse(name, fmt::format("has {} {}, more than the {} that are read", found, what, most));
    }

    void addAttention(TraceBuilder& builder, Stage stage)
    {
        const std::string name = stageText(stage);
        const bool decodes = stage == Stage::Cross || (stage == Stage::Decoder && m_targetLength > 0);
        const Index rows = decodes ? m_targetLength : m_sourceLength;
        const Index columns = stage == Stage::Decoder ? rows : m_sourceLength;
        NpyStream* weights = m_arrays.find(name + "_attentions", {"layers", "heads", rows, columns});
        NpyStream* scores = m_arrays.find(name + "_scores", {"layers", "heads", rows, columns});
        if (weights == nullptr || weights->size() == 0)
            return;
        if (scores != nullptr && scores->shape() != weights->shape())
            m_arrays.refuse(name + "_scores", "has another shape than the weights");
        requireAtMost(mostLayers, "layers", weights->shape()[0], name + "_attentions");
        requireAtMost(mostHeads, "heads", weights->shape()[1], name + "_attentions");
        const auto layers = static_cast<Index>(weights->shape()[0]);
        const auto heads = static_cast<Index>(weights->shape()[1]);
        const std::size_t size = weights->size() / layers;
        std::vector<Numbers> sinks;
        if (stage == Stage::Decoder)
            sinks = readSinks(m_arrays, layers, heads, rows);
        for (Index layer = 0; layer < layers; ++layer) {
            ThreadStop::check();
            AttentionMap map;
            map.site = {stage, layer};
            map.weights = {rows, columns, weights->floats(size), heads};
            if (scores != nullptr)
                map.scores = {rows, columns, scores->floats(size), heads};
            if (!sinks.empty())
                map.sinks = std::move(sinks[static_cast<std::size_t>(layer)]);
            builder.stored(std::move(map));
        }
    }

    void addHidden(TraceBuilder& builder, const std::string& name, Stage stage, Index rows)
    {
        NpyStream* array = m_arrays.find(name, {"layers", rows, "width"});
        if (array == nullptr || array->size() == 0)
            return;
        const auto& shape = array->shape();
        requireAtMost(mostLayers + 1, "layers", shape[0], name); // the embeddings are one
        const auto layers = static_cast<Index>(shape[0]);
        for (Index layer = 0; layer < layers; ++layer) {
            ThreadStop::check();
            const auto values = array->floats(array->size() / layers);
            builder.hidden({stage, layer, 0, 0, {values.data(), rows, static_cast<Index>(shape[2])}});
        }
    }

    void addLogits(TraceBuilder& builder)
    {
        const bool encoderOnly = m_kind == ModelKind::EncoderOnly;
        const Index rows = encoderOnly ? m_sourceLength : m_targetLength;
        NpyStream* array = m_arrays.find("logits", {rows, "vocabulary"});
        if (array == nullptr || array->size() == 0)
            return;
        for (Index row = 0; row < rows; ++row) {
            ThreadStop::check();
            const auto values = array->floats(array->shape()[1]);
            builder.logits({0, row, std::span<const float>(values), encoderOnly ? Stage::Encoder : Stage::Decoder});
        }
    }

    // One value per target token.
    NumberVector<float> logProbabilities(Index targets)
    {
        const bool decoderOnly = m_kind == ModelKind::DecoderOnly;
        const Index expected = decoderOnly ? m_sourceLength : targets;
        NpyStream* array = m_kind == ModelKind::EncoderOnly ? nullptr : m_arrays.find("logprobs", {expected});
        if (array == nullptr)
            return NumberVector<float>(targets, std::numeric_limits<float>::quiet_NaN());
        NumberVector<float> logs = array->floats(expected);
        if (decoderOnly && !logs.empty())
            logs.erase(logs.begin());
        return logs;
    }

    RunSummary addSteps(TraceBuilder& builder, const std::vector<TokenId>& targetIds)
    {
        RunSummary summary;
        const NumberVector<float> logs = logProbabilities(indexSize(targetIds));
        double sum = 0;
        std::optional<StepId> last;
        for (Index i = 0; i < indexSize(targetIds); ++i) {
            ThreadStop::check();
            DecodingStep step;
            step.index = StepId{i};
            step.parent = last;
            step.position = i;
            step.token = targetIds[i];
            step.logProbability = logs[i];
            sum += logs[i];
            step.score = static_cast<float>(sum);
            builder.stepped(step);
            last = step.index;
        }
        if (m_kind == ModelKind::DecoderOnly)
            builder.closed(last, 0, {});
        if (last)
            summary.hypotheses.push_back({last, sum, sum / indexSize(targetIds), true});
        return summary;
    }

    ArchiveArrays m_arrays;
    std::string m_where;
    JsonObject m_metadata;
    ModelKind m_kind = ModelKind::EncoderDecoder;
    Index m_sourceLength = 0;
    Index m_targetLength = 0;
};

void writeText(const std::filesystem::path& path, const WrittenArrays& arrays, const std::stop_token& stop)
{
    AtomicFile file(path);
    constexpr std::size_t together = std::size_t{1} << 20U; // bytes
    std::string waiting;
    writeJson(arrays, stop, [&](std::string_view text) {
        waiting += text;
        if (waiting.size() >= together)
            file.write(std::exchange(waiting, {}));
    });
    file.write(waiting);
    throwIfStopped(stop);
    file.commit();
}

} // namespace

std::optional<ArchiveForm> archiveForm(const std::filesystem::path& path)
{
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return extension == ".npz" ? std::optional(ArchiveForm::Npz)
        : extension == ".json" ? std::optional(ArchiveForm::JsonText)
                               : std::nullopt;
}

bool isArchivePath(const std::filesystem::path& path)
{
    const bool belongsToModel = path.filename() == "config.json" || path.stem().extension() == ".index";
    const auto form = archiveForm(path);
    return form && !(form == ArchiveForm::JsonText && belongsToModel);
}

void writeArchive(const std::filesystem::path& path, const Trace& trace, const ArchiveOptions& options)
{
    const auto form = archiveForm(path);
    if (!form)
        throw Error(ErrorKind::Input, path.filename().string(), "is neither .npz nor .json",
                    "choose one of these endings");
    ArchiveOptions own = options;
    own.media = options.media && form != ArchiveForm::JsonText;
    const WrittenArrays arrays = arraysOf(trace, own);
    if (form == ArchiveForm::JsonText)
        writeText(path, arrays, options.stop);
    else
        npzOf(arrays, options.stop).save(path);
}

ByteSource archiveSource(const Trace& trace, const ArchiveOptions& options, const std::filesystem::path& folder)
{
    const auto isLong = [&](const Site& site) { return trace.computes(site, options.leaf); };
    if (std::ranges::any_of(trace.sites(), isLong))
        return npzOf(arraysOf(trace, options), options.stop).spool(folder);
    return sourceOf(archiveBytes(trace, options));
}

std::vector<std::byte> archiveBytes(const Trace& trace, const ArchiveOptions& options)
{
    return npzOf(arraysOf(trace, options), options.stop).finish();
}

Trace readArchive(const std::filesystem::path& path)
{
    ArchiveMemory memory(path.filename().string());
    return ArchiveReader(path, memory).read();
}

Trace readArchive(std::span<const std::byte> bytes, const std::string& where)
{
    ArchiveMemory memory(where);
    return readArchive(bytes, where, memory);
}

Trace readArchive(std::span<const std::byte> bytes, const std::string& where, ArchiveMemory& memory)
{
    return ArchiveReader(bytes, where, memory).read();
}

Trace traceOf(NamedArrays arrays, const std::string& where)
{
    ArchiveMemory memory(where);
    return ArchiveReader(std::move(arrays), where, memory).read();
}

} // namespace attn
