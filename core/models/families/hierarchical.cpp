// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"
#include "models/recurrent.h"
#include "models/run_checks.h"
#include "models/text_model.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

// First row behind sentence `index`.
int endOf(std::span<const int> starts, int index, int length)
{
    return index + 1 < indexSize(starts) ? starts[index + 1] : length;
}

// The hierarchical attention network (Yang et al. 2016): words are read and summed by attention sentence by sentence,
// and so are the sentences. Two sites of the encoder: words, [sentences, source], and sentences, [1, sentences].
class HierarchicalModel final : public TextModel
{
public:
    struct Level
    {
        std::vector<RecurrentLayer> reader;
        LearnedQueryScore score;
    };
    struct Parts
    {
        Embedding embedding;
        Level words;
        Level sentences;
        std::optional<Linear> classifier;
    };
    // endToken: the last token of a sentence.
    HierarchicalModel(ModelInfo info, TokenId endToken, Parts parts);

    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    Recording record(Tape& tape, const RecordedInput& input) const override;

private:
    Tensor readWords(const Tensor& input, std::span<const int> starts, RunContext& context) const;
    Tensor sumWords(const Tensor& annotations, std::span<const int> starts, RunContext& context) const;

    TokenId m_endToken;
    Level m_words;
    Level m_sentences;
};

HierarchicalModel::HierarchicalModel(ModelInfo info, TokenId endToken, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_endToken(endToken)
    , m_words(std::move(parts.words))
    , m_sentences(std::move(parts.sentences))
{
}

std::uint64_t HierarchicalModel::workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const
{
    const auto levelBytes = [&engine](const Level& level, std::uint64_t rows) {
        return runBytes(engine, level.reader, rows) + level.score.workBytes(rows);
    };
    return textBytes(length, capture, 1) + floatBytes(length.source, info().modelWidth)
        + levelBytes(m_words, length.source) + levelBytes(m_sentences, length.sentences);
}

// Every sentence from zero states, [source, width].
Tensor HierarchicalModel::readWords(const Tensor& input, std::span<const int> starts, RunContext& context) const
{
    const NumberView rows = input.matrix();
    NumberVector<float> values;
    const int sentences = indexSize(starts);
    for (int sentence = 0; sentence < sentences; ++sentence) {
        const int first = starts[sentence];
        const NumberView own = rows.rowRange(first, endOf(starts, sentence, rows.rows) - first);
        const auto report = [&](double share) {
            context.sink.progressed(
                {(sentence + share) / (sentences + 1), Progress::Part::Sentence, sentence, sentences});
        };
        const Tensor states = topStates(m_words.reader, context, own, report);
        if (values.empty())
            values.reserve(NumberView(nullptr, rows.rows, states.matrix().columns).size());
        values.insert(values.end(), states.values().begin(), states.values().end());
        report(1);
    }
    const std::int64_t width = std::ssize(values) / rows.rows;
    return {{rows.rows, width}, std::move(values)};
}

// Sentence vectors, [sentences, width].
Tensor HierarchicalModel::sumWords(const Tensor& annotations, std::span<const int> starts, RunContext& context) const
{
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = indexSize(starts);
    call.rowAxis = AttentionAxis::Sentences;
    return pool(m_words.score, context, call, annotations.matrix(), starts);
}

std::shared_ptr<const EncoderOutput> HierarchicalModel::encode(const Source& source, RunContext& context) const
{
    const Tensor input = embedded(source);
    const std::vector<int> starts = sentenceStarts(source.ids, m_endToken);
    const Tensor annotations = readWords(input, starts, context);
    reportHidden(context, Stage::Encoder, 0, 0, 0, annotations.matrix());
    const Tensor sentences = sumWords(annotations, starts, context);
    const Tensor states = topStates(m_sentences.reader, context, sentences.matrix());
    AttentionCall call{{Stage::Encoder, 1}};
    call.rows = 1;
    call.rowAxis = AttentionAxis::Text;
    call.columnAxis = AttentionAxis::Sentences;
    Tensor text = pool(m_sentences.score, context, call, states.matrix());
    context.sink.progressed({1, Progress::Part::Sentence, indexSize(starts) - 1, indexSize(starts)});
    return std::make_shared<TextVector>(indexSize(source.ids), std::move(text));
}

Recording HierarchicalModel::record(Tape& tape, const RecordedInput& input) const
{
    Recording recording;
    recording.source = recordEmbedded(tape, input);
    const std::vector<int> starts = sentenceStarts(input.source, m_endToken);
    std::vector<Variable> annotations;
    for (int sentence = 0; sentence < indexSize(starts); ++sentence) {
        std::vector<int> words(endOf(starts, sentence, indexSize(input.source)) - starts[sentence]);
        std::iota(words.begin(), words.end(), starts[sentence]);
        annotations.push_back(
            recordEncoder(tape, m_words.reader, tape.rows(std::move(words), recording.source), 1).states);
    }
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = indexSize(starts);
    const Variable sentences = recordPool(tape, m_words.score, call, input.edits, tape.below(annotations), starts);
    const Variable states = recordEncoder(tape, m_sentences.reader, sentences, 1).states;
    call = {{Stage::Encoder, 1}};
    call.rows = 1;
    recording.output = recordPool(tape, m_sentences.score, call, input.edits, states);
    return recording;
}

TextSettings readSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    settings.encoder = readStack(config, "encoder");
    settings.attentionSize = requireSize(config.requireObject("attention"), "size");
    if (!config.boolOr("source_eos", true))
        config.refuse("source_eos", "true: the end token is where a sentence ends");
    return settings;
}

Weight<HierarchicalModel::Level> declareLevel(WeightTable& table, const std::string& name, const TextSettings& settings,
                                              int inputs)
{
    const auto layers = declareLayers(table, name + ".rnn.", settings.encoder, inputs);
    const auto score = declarePooling(table, name + ".attention", settings);
    return [=](WeightReader& reader) -> HierarchicalModel::Level {
        auto read = layers(reader);
        return {std::move(read), score(reader)};
    };
}

FamilyOutput buildHierarchical(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const TextSettings settings = readSettings(config);
    const auto endToken = config.requireInt("eos_token_id", 0, settings.vocabulary - 1);
    const int width = settings.annotationWidth();
    WeightTable table;
    const TextWeights text = declareText(table, settings, width);
    const auto words = declareLevel(table, "word", settings, settings.embedding);
    const auto sentences = declareLevel(table, "sentence", settings, width);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeText(config, settings, reader, Architecture::Form::Hierarchical, 2);
    info.endToken = endToken;
    HierarchicalModel::Parts parts{text.embedding(reader), words(reader), sentences(reader),
                                   readIf(text.classifier, reader)};
    return {std::make_shared<HierarchicalModel>(std::move(info), endToken, std::move(parts)), reader.ignored()};
}

constexpr Family hierarchicalRows[] = {{"hierarchical_attention",
                                        "of this program",
                                        {TextFiles::Kind::Sentences},
                                        ModelKind::EncoderOnly,
                                        textKeys,
                                        buildHierarchical}};

} // namespace

std::span<const Family> hierarchicalFamilies()
{
    return hierarchicalRows;
}

} // namespace attn
