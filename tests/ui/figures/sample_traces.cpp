// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_traces.h"

#include "trace/trace_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>

namespace attn::test {

namespace {

Encoding encodingOf(const std::vector<std::string>& tokens, bool wordMarks)
{
    Encoding encoding;
    int word = -1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        encoding.ids.push_back(static_cast<TokenId>(i));
        encoding.tokens.push_back(tokens[i]);
        const bool special =
            tokens[i] == "</s>" || tokens[i] == "<s>" || (tokens[i].starts_with('[') && tokens[i] != "[MASK]");
        if (!special && (!wordMarks || tokens[i].starts_with("\u2581")))
            ++word;
        encoding.words.push_back(special ? -1 : word);
        encoding.special.push_back(special);
    }
    return encoding;
}

int patchCount(const SampleRun& run)
{
    return static_cast<int>(
        std::ranges::count_if(run.source, [](const std::string& token) { return token[0] != '['; }));
}

// The tokens of a run's source, with their places in its picture.
Encoding sourceOf(const SampleRun& run)
{
    Encoding source = encodingOf(run.source, run.wordMarks);
    if (run.gridColumns == 0)
        return source;
    constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();
    const int specials = static_cast<int>(run.source.size()) - patchCount(run);
    const auto columns = static_cast<float>(run.gridColumns);
    const auto rows = static_cast<float>(patchCount(run) / run.gridColumns);
    for (int i = 0; i < static_cast<int>(run.source.size()); ++i) {
        const int place = i - specials;
        source.ids[static_cast<std::size_t>(i)] = place < 0 ? noTokenId : place;
        const auto x = static_cast<float>(place % run.gridColumns);
        const auto y = static_cast<float>(place / run.gridColumns);
        source.boxes.push_back(place < 0 ? PictureBox{nowhere, nowhere, nowhere, nowhere}
                                         : PictureBox{x / columns, y / rows, (x + 1) / columns, (y + 1) / rows});
    }
    return source;
}

void addMedia(TraceBuilder& builder, const SampleRun& run)
{
    if (run.gridColumns == 0)
        return;
    auto media = std::make_shared<SourceMedia>();
    media->rows = patchCount(run) / run.gridColumns;
    media->columns = run.gridColumns;
    media->picture = run.picture;
    builder.setMedia(media);
}

class Describer final : public TokenDescriber
{
public:
    explicit Describer(Encoding all)
        : m_all(std::move(all))
    {
    }

    Encoding describe(std::span<const TokenId> ids) const override
    {
        Encoding encoding;
        for (const TokenId id : ids) {
            const auto index = static_cast<std::size_t>(id);
            const bool known = index < m_all.size();
            encoding.ids.push_back(id);
            encoding.tokens.push_back(known ? m_all.tokens[index] : "<" + std::to_string(id) + ">");
            encoding.words.push_back(known ? m_all.words[index] : -1);
            encoding.special.push_back(known && m_all.special[index]);
        }
        return encoding;
    }

private:
    Encoding m_all;
};

float changed(const SampleRun& run, Site site, int head, int row, int column, float weight)
{
    return run.weight ? run.weight(site, head, row, column, weight) : weight;
}

void reportRow(TraceBuilder& builder, const SampleRun& run, Site site, int row, int rows, int columns, bool zero)
{
    std::vector<float> weights;
    for (int head = 0; head < run.heads; ++head) {
        std::vector<float> line;
        for (int column = 0; column < columns; ++column)
            line.push_back(zero ? 0.0F : sampleWeight(head, site.layer, row, column, rows, columns));
        const float sum = std::accumulate(line.begin(), line.end(), 0.0F);
        for (int column = 0; column < columns; ++column)
            weights.push_back(
                changed(run, site, head, row, column, zero ? 0.0F : line[static_cast<std::size_t>(column)] / sum));
    }
    builder.attention({site, 0, row, {weights.data(), run.heads, 1, columns}, {}});
}

void reportEncoder(TraceBuilder& builder, const SampleRun& run, int layer, int size)
{
    const Site site{Stage::Encoder, layer};
    std::vector<float> weights;
    for (int head = 0; head < run.heads; ++head) {
        for (int row = 0; row < size; ++row) {
            std::vector<float> line;
            for (int column = 0; column < size; ++column)
                line.push_back(sampleWeight(head + 1, layer, row, column, size, size));
            const float sum = std::accumulate(line.begin(), line.end(), 0.0F);
            for (int column = 0; column < size; ++column)
                weights.push_back(changed(run, site, head, row, column, line[static_cast<std::size_t>(column)] / sum));
        }
    }
    builder.attention({site, 0, 0, {weights.data(), run.heads, size, size}, {}});
}

DecodingStep stepOf(const SampleRun& run, int position)
{
    DecodingStep step;
    step.index = StepId{position};
    if (position > 0)
        step.parent = StepId{position - 1};
    step.position = position;
    step.token = position;
    const float logProbability = position == run.lostStep ? std::numeric_limits<float>::quiet_NaN() : -0.3F;
    step.logProbability = logProbability;
    step.score = -0.3F * static_cast<float>(position + 1);
    step.ends = position + 1 == static_cast<int>(run.target.size());
    for (int i = 0; i < run.candidates; ++i) {
        const int token = (position + i) % static_cast<int>(run.target.size());
        step.candidates.push_back({token, logProbability - 1.1F * static_cast<float>(i)});
    }
    return step;
}

} // namespace

float sampleWeight(int head, int layer, int row, int column, int rows, int columns)
{
    const float scale = static_cast<float>(columns) / static_cast<float>(std::max(rows, 1));
    const float middle = (static_cast<float>(row) + 0.5F) * scale - 0.5F + static_cast<float>(head % 4 - 1) * 0.8F;
    const float width = 0.6F + 0.35F * static_cast<float>(head) + 0.25F * static_cast<float>(layer);
    const float distance = (static_cast<float>(column) - middle) / width;
    const auto ripple = static_cast<float>((row * 7 + column * 13 + head * 5) % 11);
    return std::exp(-0.5F * distance * distance) + 0.004F * ripple + 0.001F;
}

Trace sampleTrace(const SampleRun& run)
{
    const Encoding source = sourceOf(run);
    const Encoding target = encodingOf(run.target, run.wordMarks);
    Provenance provenance;
    provenance.model = "transformer-en-fr";
    provenance.decoding = "greedy";
    provenance.edits = run.edits;
    TraceBuilder builder(source, std::make_shared<const Describer>(target), provenance);
    addMedia(builder, run);
    builder.begun(source.ids, {});
    builder.setDecoderStartText("<s>");
    const auto sources = static_cast<int>(run.source.size());
    const auto targets = static_cast<int>(run.target.size());
    for (int layer = 0; layer < run.encoderLayers; ++layer)
        reportEncoder(builder, run, layer, sources);
    const int steps = run.stepsDone < 0 ? targets : std::min(run.stepsDone, targets);
    for (int position = 0; position < steps; ++position) {
        const bool zero = position == run.zeroRow;
        for (int layer = 0; layer < run.decoderLayers; ++layer)
            reportRow(builder, run, {Stage::Decoder, layer}, position, targets, position + 1, zero);
        for (int layer = 0; layer < run.crossLayers; ++layer)
            reportRow(builder, run, {Stage::Cross, layer}, position, targets, sources, zero);
        builder.stepped(stepOf(run, position));
    }
    if (run.stepsDone < 0)
        builder.finished({{{StepId{targets - 1}, -1.0, -0.1, true}}, 0.1});
    return builder.snapshot();
}

Trace sampleReading(const SampleRun& run, bool predicts)
{
    Encoding source = sourceOf(run);
    source.segments = run.segments;
    const auto size = static_cast<int>(source.size());
    Provenance provenance;
    provenance.model = "bert-small-en";
    provenance.kind = ModelKind::EncoderOnly;
    provenance.edits = run.edits;
    TraceBuilder builder(source, std::make_shared<const Describer>(source), provenance);
    addMedia(builder, run);
    builder.begun(source.ids, {});
    for (int layer = 0; layer < run.encoderLayers; ++layer)
        reportEncoder(builder, run, layer, size);
    for (int position = 0; predicts && position < size; ++position) {
        MaskedPrediction prediction{position, -1.2F, {}};
        for (int i = 0; i < run.candidates; ++i)
            prediction.candidates.push_back({(position + 3 + i) % size, -0.4F - 0.8F * static_cast<float>(i)});
        builder.predicted(prediction);
    }
    builder.finished({{}, 0.1});
    return builder.snapshot();
}

Trace sampleContinuation(const SampleRun& run)
{
    const Encoding sequence = encodingOf(run.source, run.wordMarks);
    const auto size = static_cast<int>(sequence.size());
    const int prompt = size - run.generated;
    const Encoding source = encodingOf({run.source.begin(), run.source.begin() + prompt}, run.wordMarks);
    Provenance provenance;
    provenance.model = "gpt-small-en";
    provenance.kind = ModelKind::DecoderOnly;
    provenance.decoding = "greedy";
    provenance.edits = run.edits;
    TraceBuilder builder(source, std::make_shared<const Describer>(sequence), provenance);
    builder.begun(source.ids, source.ids.front());
    std::optional<StepId> last;
    for (int row = 0; row < size; ++row) {
        for (int layer = 0; layer < run.decoderLayers; ++layer)
            reportRow(builder, run, {Stage::Decoder, layer}, row, size, row + 1, row == run.zeroRow);
        if (row + 1 == size) {
            builder.closed(last, 0, {});
            break;
        }
        DecodingStep step;
        step.index = StepId{row};
        step.parent = last;
        step.position = row;
        step.token = row + 1;
        step.logProbability = -0.3F;
        for (int i = 0; i < run.candidates; ++i)
            step.candidates.push_back({(row + 1 + i) % size, -0.3F - 1.1F * static_cast<float>(i)});
        builder.stepped(step);
        last = step.index;
    }
    builder.finished({{{last, -1.0, -0.1, false}}, 0.1});
    return builder.snapshot();
}

SampleRun pairRun()
{
    SampleRun run;
    run.source = {"[CLS]", "the", "cat", "[MASK]", "[SEP]", "a", "dog", "sat", "[SEP]"};
    run.segments = {0, 0, 0, 0, 0, 1, 1, 1, 1};
    run.encoderLayers = 2;
    run.heads = 2;
    return run;
}

SampleRun pictureRun()
{
    SampleRun run;
    constexpr int rows = 4;
    constexpr int columns = 6;
    constexpr int side = 20; // pixels of a patch
    auto picture = std::make_shared<Picture>(Picture{columns * side, rows * side, {}});
    run.source = {"[CLS]"};
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column)
            run.source.push_back(std::to_string(row) + ',' + std::to_string(column));
    }
    for (int y = 0; y < rows * side; ++y) {
        for (int x = 0; x < columns * side; ++x)
            picture->rgb.insert(picture->rgb.end(),
                                {static_cast<std::uint8_t>(255 - 40 * (y / side)),
                                 static_cast<std::uint8_t>(40 + 35 * (x / side)), 200});
    }
    run.gridColumns = columns;
    run.picture = std::move(picture);
    run.target = {"a", "red", "ball", "</s>"};
    return run;
}

SampleRun shortRun()
{
    SampleRun run;
    run.source = {"the", "cat", "sat", "on", "the", "mat", ".", "</s>"};
    run.target = {"le", "chat", "\u00E9tait", "assis", "sur", "le", "tapis", "</s>"};
    return run;
}

std::vector<std::string> syllables(int count, int seed)
{
    const std::vector<std::string> parts = {"ba", "ri", "tome", "la", "en", "vou", "que", "s", "ation", "per", "un"};
    std::vector<std::string> tokens;
    for (int i = 0; i < count; ++i) {
        const auto a = static_cast<std::size_t>(i * 7 + seed) % parts.size();
        const auto b = static_cast<std::size_t>(i * 3 + seed * 5) % parts.size();
        tokens.push_back(i % 3 == 0 ? parts[a] : parts[a] + parts[b]);
    }
    return tokens;
}

SampleRun longRun(int rows, int columns)
{
    SampleRun run;
    run.source = syllables(columns);
    run.target = syllables(rows, 4);
    return run;
}

} // namespace attn::test
