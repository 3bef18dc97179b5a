// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"
#include "attention/score.h"
#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"
#include "models/recurrent.h"
#include "models/run_checks.h"
#include "models/text_model.h"

#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

// A recurrent encoder whose states are summed by attention: of one learned query (attention pooling), or of several,
// whose sums stand one after the other (structured self-attention, Lin et al. 2017).
class AttentionPoolingModel final : public TextModel
{
public:
    struct Parts
    {
        Embedding embedding;
        std::vector<RecurrentLayer> encoder;
        LearnedQueryScore score;
        std::optional<Linear> classifier;
    };
    // rows: what the queries are called.
    AttentionPoolingModel(ModelInfo info, AttentionAxis rows, Parts parts);

    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override;
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override;
    Recording record(Tape& tape, const RecordedInput& input) const override;

private:
    AttentionCall call() const;

    AttentionAxis m_rows;
    std::vector<RecurrentLayer> m_encoder;
    LearnedQueryScore m_score;
};

AttentionPoolingModel::AttentionPoolingModel(ModelInfo info, AttentionAxis rows, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_rows(rows)
    , m_encoder(std::move(parts.encoder))
    , m_score(std::move(parts.score))
{
}

std::uint64_t AttentionPoolingModel::workBytes(const RunLength& length, const Capture& capture,
                                               const Engine& engine) const
{
    return textBytes(length, capture, 1) + runBytes(engine, m_encoder, length.source)
        + m_score.workBytes(length.source);
}

AttentionCall AttentionPoolingModel::call() const
{
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = m_score.queries();
    call.rowAxis = m_rows;
    return call;
}

std::shared_ptr<const EncoderOutput> AttentionPoolingModel::encode(const Source& source, RunContext& context) const
{
    const Tensor input = embedded(source);
    const Tensor annotations =
        topStates(m_encoder, context, input.matrix(), [&](double share) { reportLayer(context, 0, 1, share); });
    reportHidden(context, Stage::Encoder, 0, 0, 0, annotations.matrix());
    const Tensor sums = pool(m_score, context, call(), annotations.matrix());
    reportLayer(context, 0, 1);
    return std::make_shared<TextVector>(indexSize(source.ids),
                                        Tensor({1, std::ssize(sums.values())}, copyOf(sums.matrix())));
}

Recording AttentionPoolingModel::record(Tape& tape, const RecordedInput& input) const
{
    Recording recording;
    recording.source = recordEmbedded(tape, input);
    const Variable annotations = recordEncoder(tape, m_encoder, recording.source, 1).states;
    const Variable sums = recordPool(tape, m_score, call(), input.edits, annotations);
    recording.output = tape.reshaped(1, static_cast<int>(tape.value(sums).size()), sums);
    return recording;
}

constexpr int mostHops = 1024;

TextSettings readEncoderSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    settings.encoder = readStack(config, "encoder");
    return settings;
}

// Differences between the two families.
struct PoolingKind
{
    AttentionAxis rows; // of the maps
    int queries = 1;
    Architecture::Form form;
    std::function<Weight<LearnedQueryScore>(WeightTable&)> declareScore;
};

FamilyOutput buildPooling(const FamilyInput& input, const TextSettings& settings, const PoolingKind& kind)
{
    const int width = settings.annotationWidth();
    WeightTable table;
    const TextWeights text = declareText(table, settings, std::int64_t{kind.queries} * width);
    const auto encoder = declareLayers(table, "encoder.rnn.", settings.encoder, settings.embedding);
    const auto score = kind.declareScore(table);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeText(input.config, settings, reader, kind.form, 1);
    info.architecture.hops = kind.queries;
    AttentionPoolingModel::Parts parts{text.embedding(reader), encoder(reader), score(reader),
                                       readIf(text.classifier, reader)};
    return {std::make_shared<AttentionPoolingModel>(std::move(info), kind.rows, std::move(parts)), reader.ignored()};
}

FamilyOutput buildAttentionPooling(const FamilyInput& input)
{
    TextSettings settings = readEncoderSettings(input.config);
    const JsonObject attention = input.config.requireObject("attention");
    const std::string score = attention.stringOr("score", "additive");
    if (score != "additive" && score != "dot")
        attention.refuse("score", "'additive' or 'dot'");
    if (score == "additive")
        settings.attentionSize = requireSize(attention, "size");
    return buildPooling(input, settings,
                        {AttentionAxis::Text, 1, Architecture::Form::AttentionPooling,
                         [&](WeightTable& table) { return declarePooling(table, "attention", settings); }});
}

FamilyOutput buildStructuredSelfAttention(const FamilyInput& input)
{
    TextSettings settings = readEncoderSettings(input.config);
    const JsonObject attention = input.config.requireObject("attention");
    settings.attentionSize = requireSize(attention, "size");
    const int hops = attention.requireInt("hops", 1, mostHops);
    const auto declareScore = [&](WeightTable& table) -> Weight<LearnedQueryScore> {
        const auto key = table.matrix("attention.w1.weight", {settings.attentionSize, settings.annotationWidth()});
        const auto v = table.matrix("attention.w2.weight", {hops, settings.attentionSize});
        return [=](WeightReader& reader) -> LearnedQueryScore {
            Linear own = key(reader);
            return {std::move(own), v(reader)};
        };
    };
    return buildPooling(input, settings,
                        {AttentionAxis::Hops, hops, Architecture::Form::StructuredSelfAttention, declareScore});
}

constexpr Family poolingRows[] = {
    {"attention_pooling",
     "of this program",
     {TextFiles::Kind::OneText},
     ModelKind::EncoderOnly,
     textKeys,
     buildAttentionPooling},
    {"structured_self_attention",
     "of this program",
     {TextFiles::Kind::OneText},
     ModelKind::EncoderOnly,
     textKeys,
     buildStructuredSelfAttention},
};

} // namespace

std::span<const Family> poolingFamilies()
{
    return poolingRows;
}

} // namespace attn
