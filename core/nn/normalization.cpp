// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/normalization.h"

#include "nn/primitives.h"

#include <Eigen/Core>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();
constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();
constexpr unsigned narrowest = 64;

// Cost of a number, in multiply-adds of a product.
constexpr std::int64_t softmaxCost = 16;
constexpr std::int64_t normCost = 4;

bool fullyMasked(std::span<const float> row)
{
    return std::ranges::all_of(row, [](float score) { return score == minusInfinity; });
}

void runPrimitive(Engine& engine, float* values, std::int64_t rows, std::int64_t columns)
{
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Softmax, primitives.threadsFor(rows * columns * softmaxCost), {rows, columns}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({rows, columns});
        const auto descriptor = onednn::describeSoftmax(cpu, attributes, layout, 1);
        return {dnnl::softmax_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make, {{DNNL_ARG_SRC, values}, {DNNL_ARG_DST, values}});
}

void exponentiate(Engine& engine, std::span<float> values)
{
    const std::int64_t count = std::ssize(values);
    const PrimitiveKey key{Operation::Exponential, 1, {count}};
    const auto make = [count](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({count});
        const auto descriptor = onednn::describeActivation(cpu, attributes, dnnl::algorithm::eltwise_exp, layout, 0.0F);
        return {dnnl::eltwise_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}},
                descriptor.scratchpad_desc()};
    };
    engine.primitives().run(key, make, {{DNNL_ARG_SRC, values.data()}, {DNNL_ARG_DST, values.data()}});
}

void runPadded(Engine& engine, MutableView rows)
{
    const auto padded = static_cast<Index>(std::bit_ceil(std::max(static_cast<unsigned>(rows.columns), narrowest)));
    std::vector<float> wide(static_cast<std::size_t>(std::ptrdiff_t{rows.rows} * padded), minusInfinity);
    const MutableView table(wide.data(), rows.rows, padded);
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::copy(rows.row(row), table.row(row).begin());
    runPrimitive(engine, wide.data(), rows.rows, padded);
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::copy(table.row(row).first(rows.columns), rows.row(row).begin());
}

// The gradient of scale (x - center) / sqrt(mean((x - center)^2) + epsilon), the center being the mean or 0.
void addGradientOfNorm(std::span<const float> scale, float epsilon, bool centered, NumberView input,
                       NumberView gradient, NormDivisor divisor, MutableView sums)
{
    using Row = Eigen::ArrayXd;
    const std::ptrdiff_t width = std::ssize(scale);
    const Row factors = Eigen::Map<const Eigen::ArrayXf>(scale.data(), width).cast<double>();
    for (std::ptrdiff_t begin = 0; begin < std::ssize(input.values()); begin += width) {
        Row values = Eigen::Map<const Eigen::ArrayXf>(input.data + begin, width).cast<double>();
        if (centered)
            values -= values.mean();
        const double inverse = 1.0 / std::sqrt(values.square().mean() + epsilon);
        Row own = Eigen::Map<const Eigen::ArrayXf>(gradient.data + begin, width).cast<double>() * factors * inverse;
        if (divisor == NormDivisor::Differentiated)
            own -= values * ((own * values).mean() * inverse * inverse);
        if (centered)
            own -= own.mean();
        Eigen::Map<Eigen::ArrayXf>(sums.data + begin, width) += own.cast<float>();
    }
}

} // namespace

LayerNorm::LayerNorm(Tensor scale, Tensor shift, float epsilon)
    : m_scale(std::move(scale))
    , m_shift(std::move(shift))
    , m_epsilon(epsilon)
{
}

void LayerNorm::apply(Engine& engine, Tensor& values) const
{
    if (values.empty())
        return;
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t width = std::ssize(m_scale.values());
    const std::int64_t rows = std::ssize(values.values()) / width;
    const PrimitiveKey key{Operation::LayerNorm,
                           primitives.threadsFor(rows * width * normCost),
                           {rows, width, std::bit_cast<std::int32_t>(m_epsilon)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({rows, width});
        const auto vector = rowMajor({width});
        const auto descriptor =
            onednn::describeLayerNorm(cpu, attributes, layout, m_epsilon,
                                      dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift);
        return {dnnl::layer_normalization_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}, {DNNL_ARG_SCALE, vector}, {DNNL_ARG_SHIFT, vector}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make,
                   {{DNNL_ARG_SRC, values.data()},
                    {DNNL_ARG_DST, values.data()},
                    {DNNL_ARG_SCALE, m_scale.data()},
                    {DNNL_ARG_SHIFT, m_shift.data()}});
}

void LayerNorm::addGradient(NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums) const
{
    addGradientOfNorm(m_scale.values(), m_epsilon, true, input, gradient, divisor, sums);
}

RmsNorm::RmsNorm(Tensor scale, float epsilon)
    : m_scale(std::move(scale))
    , m_epsilon(epsilon)
{
}

// oneDNN 2.6 has no such normalisation.
void RmsNorm::apply(Engine& /*engine*/, Tensor& values) const
{
    const std::size_t width = m_scale.size();
    const auto scale = m_scale.values();
    for (std::size_t begin = 0; begin < values.size(); begin += width) {
        const auto row = values.values().subspan(begin, width);
        const double squares = std::transform_reduce(row.begin(), row.end(), 0.0, std::plus<>(),
                                                     [](float value) { return static_cast<double>(value) * value; });
        const double mean = squares / indexSize(row);
        const auto factor = static_cast<float>(1.0 / std::sqrt(mean + m_epsilon));
        std::ranges::transform(row, scale, row.begin(),
                               [factor](float value, float by) { return value * factor * by; });
    }
}

void RmsNorm::addGradient(NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums) const
{
    addGradientOfNorm(m_scale.values(), m_epsilon, false, input, gradient, divisor, sums);
}

void addNormGradient(const Norm& norm, NumberView input, NumberView gradient, NormDivisor divisor, MutableView sums)
{
    std::visit([&](const auto& known) { known.addGradient(input, gradient, divisor, sums); }, norm);
}

void normalize(Engine& engine, const Norm& norm, Tensor& values)
{
    std::visit([&](const auto& known) { known.apply(engine, values); }, norm);
}

void softmaxOfNumbers(Engine& engine, MutableView maps, SoftmaxWidth width)
{
    if (maps.empty())
        return;
    const MutableView rows(maps.values().data(), maps.heads * maps.rows, maps.columns);
    std::vector<Index> masked; // oneDNN would turn them into NaN
    for (Index row = 0; row < rows.rows; ++row) {
        if (fullyMasked(rows.row(row)))
            masked.push_back(row);
    }
    for (const Index row : masked)
        std::ranges::fill(rows.row(row), 0.0F);
    if (width == SoftmaxWidth::Growing)
        runPadded(engine, rows);
    else
        runPrimitive(engine, rows.data, rows.rows, rows.columns);
    for (const Index row : masked)
        std::ranges::fill(rows.row(row), 0.0F);
}

void softmaxWithSinks(Engine& engine, MutableView maps, std::span<const float> sinks, MutableView shares,
                      SoftmaxWidth width)
{
    struct Largest
    {
        Index column = 0;
        float score = minusInfinity;
    };
    std::vector<Largest> largest; // of each row
    for (Index head = 0; head < maps.heads; ++head) {
        for (Index row = 0; row < maps.rows; ++row) {
            const auto scores = maps.row(head, row);
            const auto found = std::ranges::max_element(scores);
            largest.push_back({static_cast<Index>(found - scores.begin()), *found});
        }
    }
    softmaxOfNumbers(engine, maps, width);
    for (Index head = 0; head < maps.heads; ++head) {
        for (Index row = 0; row < maps.rows; ++row) {
            const auto weights = maps.row(head, row);
            const auto& [column, score] = largest[static_cast<std::size_t>(head) * maps.rows + row];
            const float sink = sinks[head];
            // log of exp(sink) over the row's sum of exponentials, which is exp(score) / weight.
            const float ratio = sink - (score - std::log(weights[column]));
            const float share =
                score == minusInfinity ? (sink == minusInfinity ? 0.0F : 1.0F) : 1.0F / (1.0F + std::exp(-ratio));
            const float rest = score == minusInfinity ? 0.0F : 1.0F / (1.0F + std::exp(ratio));
            std::ranges::transform(weights, weights.begin(), [rest](float weight) { return weight * rest; });
            if (!shares.empty())
                shares.at(head, row, 0) = share;
        }
    }
}

void spreadNoNumbers(MutableView maps)
{
    for (auto rest = maps.values(); !rest.empty(); rest = rest.subspan(static_cast<std::size_t>(maps.columns))) {
        const auto row = rest.first(static_cast<std::size_t>(maps.columns));
        if (!areNumbers(row))
            std::ranges::fill(row, noNumber);
    }
}

bool areNumbers(std::span<const float> values)
{
    return !std::isnan(Eigen::Map<const Eigen::ArrayXf>(values.data(), std::ssize(values)).sum());
}

void softmax(Engine& engine, MutableView maps, SoftmaxWidth width)
{
    softmaxOfNumbers(engine, maps, width);
    spreadNoNumbers(maps);
}

void logSoftmax(Engine& engine, std::span<const float> logits, std::span<float> logs)
{
    if (logits.empty())
        return;
    const Eigen::Map<const Eigen::ArrayXf> row(logits.data(), std::ssize(logits));
    Eigen::Map<Eigen::ArrayXf> result(logs.data(), row.size());
    const float largest = row.maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(largest)) {
        result.setConstant(noNumber);
        return;
    }
    // oneDNN has this in one primitive, but takes off maximum and logarithm as one float, which leaves large logits few
    // digits.
    result = row - largest;
    exponentiate(engine, logs);
    const double shift = largest + std::log(result.cast<double>().sum());
    result = (row.cast<double>() - shift).cast<float>();
}

} // namespace attn
