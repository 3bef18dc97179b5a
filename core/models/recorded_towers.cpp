// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recorded_stack.h"
#include "models/run_checks.h"
#include "models/two_towers.h"

#include <cmath>
#include <numeric>
#include <span>

namespace attn {

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
