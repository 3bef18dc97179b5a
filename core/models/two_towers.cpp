// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/two_towers.h"

#include "base/error.h"
#include "models/recording.h"
#include "models/run_checks.h"
#include "nn/elementwise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

// A picture's vector, of length one.
class TowerMemory final : public EncoderOutput
{
public:
    TowerMemory(int length, std::vector<float> image)
        : m_length(length)
        , m_image(std::move(image))
    {
    }

    int sourceLength() const override { return m_length; }
    const std::vector<float>& image() const { return m_image; }

private:
    int m_length;
    std::vector<float> m_image;
};

std::vector<float> unitVector(const Tensor& vector)
{
    double squares = 0;
    for (const float value : vector.values())
        squares += double{value} * value;
    const double length = std::sqrt(squares);
    std::vector<float> result;
    for (const float value : vector.values())
        result.push_back(static_cast<float>(value / length));
    return result;
}

} // namespace

TwoTowers::TwoTowers(ModelInfo info, TowerParts parts)
    : m_info(std::move(info))
    , m_parts(std::move(parts))
{
}

std::uint64_t TwoTowers::workBytes(const RunLength& length, const Capture& capture, const Engine& /*engine*/) const
{
    return workBytesOf(m_parts.picture, length.source, capture.hidden)
        + workBytesOf(m_parts.text, length.given, capture.hidden);
}

std::shared_ptr<const EncoderOutput> TwoTowers::encode(const Source& source, RunContext& context) const
{
    checkInput(source, m_info);
    Tensor rows = m_parts.picture.media->rows(context.engine, source.input, context.positions);
    runLayers(m_parts.picture, rows, Stage::Encoder, Mask::None, context);
    Tensor vector = pooled(rows.matrix(), context);
    if (m_parts.classNorm)
        normalize(context.engine, *m_parts.classNorm, vector);
    if (m_parts.pictureProjection)
        vector = m_parts.pictureProjection->apply(context.engine, vector.matrix());
    return std::make_shared<TowerMemory>(indexSize(source.ids), unitVector(vector));
}

// [1, width].
Tensor TwoTowers::pooled(NumberView states, RunContext& context) const
{
    if (!m_parts.pooling)
        return Tensor::of(states.rowRange(0, 1));
    const PoolingHead& head = *m_parts.pooling;
    const AttentionRun run = attentionRun(context);
    const auto projected = head.attention.project(run, states);
    AttentionCall call{{Stage::Pooling, 0}, AttentionRows::Positions, 0, 0, 1};
    call.rowAxis = AttentionAxis::Text;
    const AttentionGroup group{call, 0, projected.keys.matrix(), projected.values.matrix()};
    Tensor vector(head.probe.shape());
    head.attention.addTo(run, head.probe.matrix(), std::span(&group, 1), vector.matrix());
    Tensor inner = vector;
    normalize(context.engine, head.norm, inner);
    head.perceptron.addTo(context.engine, inner.matrix(), vector.matrix());
    return vector;
}

Index TwoTowers::endOf(std::span<const TokenId> text) const
{
    if (m_parts.largestEnds)
        return static_cast<Index>(std::ranges::max_element(text) - text.begin());
    if (!m_parts.textEnd)
        return indexSize(text) - 1;
    const auto found = std::ranges::find(text, *m_parts.textEnd);
    return found == text.end() ? 0 : static_cast<Index>(found - text.begin());
}

Tensor TwoTowers::textVector(std::span<const TokenId> text, RunContext& context) const
{
    checkIds(text, m_info.targetVocabulary, "target");
    checkTargetLength(indexSize(text), m_info);
    const TokenInput& input = m_parts.text.input;
    Tensor rows =
        input.rows(context.engine, text, context.positions ? input.positions.numbers(text, 0) : std::vector<int>());
    runLayers(m_parts.text, rows, Stage::Decoder, m_parts.textMask, context);
    Tensor vector = Tensor::of(std::as_const(rows).matrix().rowRange(endOf(text), 1));
    return m_parts.textProjection ? m_parts.textProjection->apply(context.engine, vector.matrix()) : vector;
}

PictureMatch TwoTowers::match(const EncoderOutput& encoded, std::span<const TokenId> text, RunContext& context) const
{
    const auto* memory = dynamic_cast<const TowerMemory*>(&encoded);
    if (memory == nullptr)
        throw Error(ErrorKind::Input, "decoder", "the source was encoded by another model");
    throwIfStopped(context.stop);
    PictureMatch match;
    match.image = memory->image();
    if (text.empty())
        return match;
    match.text = unitVector(textVector(text, context));
    const double product = std::inner_product(match.image.begin(), match.image.end(), match.text.begin(), 0.0);
    match.similarity = static_cast<float>(m_parts.scale * product + m_parts.shift);
    return match;
}

std::unique_ptr<DecoderState> TwoTowers::start(std::shared_ptr<const EncoderOutput> /*encoded*/,
                                               RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, m_info.family, "compares pictures with texts, it writes none");
}

Tensor TwoTowers::embeddings(std::span<const TokenId> ids, Stage stage) const
{
    if (stage != Stage::Decoder)
        return SequenceModel::embeddings(ids, stage);
    checkIds(ids, m_info.targetVocabulary, "target");
    return m_parts.text.input.tokens->rows(ids);
}

namespace {

// A vector divided by its length; to other rules than the gradient the length is a constant.
Variable recordUnit(Tape& tape, Variable vector)
{
    Tensor unit = tape.value(vector);
    const double squares = std::inner_product(unit.data(), unit.data() + unit.size(), unit.data(), 0.0);
    const auto length = static_cast<float>(std::sqrt(squares));
    for (float& value : unit.values())
        value /= length;
    const Variable self{tape.size()};
    return tape.made(std::move(unit), {vector}, [&tape, vector, length, self](BackwardPass& pass) {
        const std::span<const float> direction = tape.value(self).values();
        for (int number = 0; number < pass.passes(); ++number) {
            const auto gradient = pass.gradient(number).row(0);
            const double along = pass.rule() == BackwardRule::Gradient
                ? std::inner_product(direction.begin(), direction.end(), gradient.begin(), 0.0)
                : 0.0;
            const auto into = pass.into(vector, number).row(0);
            for (std::size_t i = 0; i < into.size(); ++i)
                into[i] += (gradient[i] - static_cast<float>(along) * direction[i]) / length;
        }
    });
}

} // namespace

// [1, width].
Variable TwoTowers::recordPooled(Tape& tape, const RecordedInput& input, Variable states) const
{
    if (!m_parts.pooling)
        return tape.rows({0}, states);
    const PoolingHead& head = *m_parts.pooling;
    const RecordingRun run{input.positions, input.edits};
    const Variable vector =
        head.attention.record(tape, run, {Stage::Pooling, 0}, Mask::None, tape.constant(head.probe), states).output;
    return tape.sum(vector, recordPerceptron(tape, head.perceptron, tape.normalized(head.norm, vector)));
}

Recording TwoTowers::record(Tape& tape, const RecordedInput& input) const
{
    const Source source(input.source, input.segments, input.media);
    checkInput(source, m_info);
    Recording recording;
    const RecordedStack picture = recordStack(tape, input, m_parts.picture, Stage::Encoder, Mask::None, source,
                                              input.sourceEmbeddings, recording);
    recording.source = picture.embedded;
    Variable image = recordPooled(tape, input, picture.rows);
    if (m_parts.classNorm)
        image = tape.normalized(*m_parts.classNorm, image);
    if (m_parts.pictureProjection)
        image = tape.linear(*m_parts.pictureProjection, image);
    recording.output = recordUnit(tape, image);
    if (input.target.empty())
        return recording;
    checkIds(input.target, m_info.targetVocabulary, "target");
    checkTargetLength(indexSize(input.target), m_info);
    const RecordedStack written =
        recordStack(tape, input, m_parts.text, Stage::Decoder, m_parts.textMask, input.target, {}, recording);
    recording.target = written.embedded;
    Variable text = tape.rows({endOf(input.target)}, written.rows);
    if (m_parts.textProjection)
        text = tape.linear(*m_parts.textProjection, text);
    const Variable product = tape.product(recording.output, recordUnit(tape, text));
    const Index width = tape.matrix(product).columns;
    const Variable mean = tape.meanOfRows(tape.reshaped(width, 1, product));
    recording.output = tape.shifted(m_parts.shift, tape.scaled(m_parts.scale * static_cast<float>(width), mean));
    return recording;
}

Variable TwoTowers::recordLogits(Tape& /*tape*/, Variable rows, LogitCap /*cap*/) const
{
    return rows;
}

} // namespace attn
