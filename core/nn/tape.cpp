// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/tape.h"

#include "base/error.h"

#include <Eigen/Core>

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn {

namespace {

using Strides = Eigen::OuterStride<>;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix, Eigen::Unaligned, Strides>;
using MutableMap = Eigen::Map<Matrix, Eigen::Unaligned, Strides>;

ConstMap mapOf(NumberView view)
{
    return {view.data, view.rows, view.columns, Strides(view.rowStride)};
}

MutableMap mapOf(MutableView view)
{
    return {view.data, view.rows, view.columns, Strides(view.rowStride)};
}

// sums += factor times the rows.
void addRows(NumberView rows, float factor, MutableView sums)
{
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::transform(sums.row(row), rows.row(row), sums.row(row).begin(),
                               [factor](float sum, float value) { return sum + factor * value; });
}

// sums += gradient * by, element by element; `by` is as large as the gradient of one pass.
template<class Factor>
void addTimes(BackwardPass& pass, Variable variable, const Factor& factorOf)
{
    for (int number = 0; number < pass.passes(); ++number) {
        const std::span<const float> gradient = pass.gradient(number).values();
        const std::span<float> sums = pass.into(variable, number).values();
        for (std::size_t i = 0; i < gradient.size(); ++i)
            sums[i] += gradient[i] * factorOf(i);
    }
}

// f(x) / x, of 0 for 0.
float share(float made, float of)
{
    return of == 0 ? 0.0F : made / of;
}

NumberView headsOf(NumberView scores, int heads)
{
    return {scores.data, heads, scores.rows / heads, scores.columns};
}

MutableView headsOf(MutableView scores, int heads)
{
    return {scores.data, heads, scores.rows / heads, scores.columns};
}

} // namespace

Tape::Tape(Engine& engine, std::stop_token stop)
    : m_engine(engine)
    , m_stop(std::move(stop))
{
}

Variable Tape::constant(Tensor value)
{
    m_nodes.push_back({std::move(value)});
    return {size() - 1};
}

Variable Tape::input(Tensor value)
{
    m_nodes.push_back({std::move(value), true, true});
    return {size() - 1};
}

Variable Tape::held(Tensor value)
{
    m_nodes.push_back({std::move(value), false, true});
    return {size() - 1};
}

Variable Tape::made(Tensor value, std::initializer_list<Variable> of, Backward back)
{
    return made(std::move(value), std::vector<Variable>(of), std::move(back));
}

Variable Tape::made(Tensor value, const std::vector<Variable>& of, Backward back)
{
    throwIfStopped(m_stop);
    const bool varies = std::ranges::any_of(of, [this](Variable one) { return m_nodes.at(one.index).varies; });
    const bool reached = std::ranges::any_of(of, [this](Variable one) { return m_nodes.at(one.index).reached; });
    m_nodes.push_back({std::move(value), varies, reached, reached ? std::move(back) : Backward(), of});
    return {size() - 1};
}

Variable Tape::remade(const std::vector<Variable>& of, const Segment& segment)
{
    const auto begin = [this, of](Tape& tape) {
        std::vector<Variable> inputs;
        for (const Variable one : of) {
            const Node& node = m_nodes.at(one.index);
            inputs.push_back({tape.size()});
            tape.m_nodes.push_back({node.value, node.varies, node.reached});
        }
        return inputs;
    };
    Tensor value;
    {
        Tape tape(m_engine, m_stop);
        value = tape.value(segment(tape, begin(tape)).value);
    }
    return made(std::move(value), of, [this, of, begin, segment](BackwardPass& pass) {
        Tape tape(m_engine, m_stop);
        std::vector<Variable> wanted = begin(tape);
        const Remade result = segment(tape, wanted);
        wanted.insert(wanted.end(), result.watched.begin(), result.watched.end());
        auto gradients = tape.backward(result.value, Tensor::of(pass.gradient()), wanted, pass.rule());
        for (std::size_t i = 0; i < of.size(); ++i) {
            if (pass.reaches(of[i]))
                addRows(gradients[i].matrix(), 1, pass.into(of[i]));
        }
        if (result.watch)
            result.watch(tape, std::span(gradients).subspan(of.size()));
    });
}

Variable Tape::linear(const Linear& layer, Variable input)
{
    return made(layer.apply(m_engine, matrix(input)), {input}, [this, &layer, input](BackwardPass& pass) {
        layer.addGradient(m_engine, pass.gradient(), pass.into(input));
    });
}

Variable Tape::multiplied(Variable input, NumberView weights)
{
    Tensor values = Tensor::unset({matrix(input).rows, weights.columns});
    weightedSum(m_engine, matrix(input), weights, values.matrix());
    return made(std::move(values), {input}, [this, weights, input](BackwardPass& pass) {
        Tensor gradient = Tensor::unset({pass.gradient().rows, weights.rows});
        queryKeyProduct(m_engine, pass.gradient(), weights, 1, gradient.matrix());
        addRows(gradient.matrix(), 1, pass.into(input));
    });
}

Variable Tape::normalized(const Norm& norm, Variable input)
{
    Tensor values = value(input);
    normalize(m_engine, norm, values);
    return made(std::move(values), {input}, [this, &norm, input](BackwardPass& pass) {
        const auto divisor =
            pass.rule() == BackwardRule::Gradient ? NormDivisor::Differentiated : NormDivisor::Constant;
        for (int number = 0; number < pass.passes(); ++number)
            addNormGradient(norm, matrix(input), pass.gradient(number), divisor, pass.into(input, number));
    });
}

Variable Tape::activated(Activation activation, Variable input)
{
    Tensor values = value(input);
    activate(m_engine, activation, values.values());
    const Variable self{size()};
    return made(std::move(values), {input}, [this, activation, input, self](BackwardPass& pass) {
        const std::span<const float> before = value(input).values();
        const std::span<const float> after = value(self).values();
        if (pass.rule() == BackwardRule::Relevance)
            return addTimes(pass, input, [&](std::size_t i) { return share(after[i], before[i]); });
        Tensor slopes = Tensor({1, std::ssize(before)});
        std::ranges::fill(slopes.values(), 1.0F);
        activateGradient(m_engine, activation, before, slopes.values());
        addTimes(pass, input, [&](std::size_t i) { return slopes.data()[i]; });
    });
}

Variable Tape::capped(float cap, Variable input)
{
    Tensor values = value(input);
    attn::capped(m_engine, values.values(), cap);
    const Variable self{size()};
    return made(std::move(values), {input}, [this, cap, input, self](BackwardPass& pass) {
        const std::span<const float> before = value(input).values();
        const std::span<const float> after = value(self).values();
        addTimes(pass, input, [&](std::size_t i) {
            const float part = after[i] / cap;
            return pass.rule() == BackwardRule::Relevance ? share(after[i], before[i]) : 1 - part * part;
        });
    });
}

Variable Tape::clamped(float least, float most, Variable input)
{
    Tensor values = value(input);
    std::ranges::transform(values.values(), values.data(), [=](float one) { return std::clamp(one, least, most); });
    const Variable self{size()};
    return made(std::move(values), {input}, [this, input, self](BackwardPass& pass) {
        const std::span<const float> before = value(input).values();
        const std::span<const float> after = value(self).values();
        addTimes(pass, input, [&](std::size_t i) {
            return pass.rule() == BackwardRule::Relevance ? share(after[i], before[i])
                : after[i] == before[i]                   ? 1.0F
                                                          : 0.0F;
        });
    });
}

Variable Tape::sum(Variable left, Variable right)
{
    Tensor values = value(left);
    add(m_engine, values.values(), value(right).values());
    return made(std::move(values), {left, right}, [left, right](BackwardPass& pass) {
        for (const Variable term : {left, right}) {
            if (pass.reaches(term))
                addRows(pass.gradient(), 1, pass.into(term));
        }
    });
}

Variable Tape::product(Variable left, Variable right)
{
    Tensor values = value(left);
    multiply(m_engine, values.values(), value(right).values());
    return made(std::move(values), {left, right}, [this, left, right](BackwardPass& pass) {
        const float part = pass.partOfProduct(left, right);
        const auto addTo = [&](Variable to, Variable other) {
            if (pass.reaches(to))
                addTimes(pass, to, [&, factors = value(other).values()](std::size_t i) { return part * factors[i]; });
        };
        addTo(left, right);
        addTo(right, left);
    });
}

Variable Tape::scaled(float factor, Variable input)
{
    if (factor == 1)
        return input;
    Tensor values = value(input);
    std::ranges::transform(values.values(), values.data(), [factor](float one) { return one * factor; });
    return made(std::move(values), {input},
                [factor, input](BackwardPass& pass) { addRows(pass.gradient(), factor, pass.into(input)); });
}

Variable Tape::shifted(float by, Variable input)
{
    Tensor values = value(input);
    std::ranges::transform(values.values(), values.data(), [by](float one) { return one + by; });
    return made(std::move(values), {input},
                [input](BackwardPass& pass) { addRows(pass.gradient(), 1, pass.into(input)); });
}

Variable Tape::largerOfPairs(Variable input)
{
    const NumberView pairs = matrix(input);
    Tensor values({pairs.rows, pairs.columns / 2});
    std::vector<std::size_t> larger;
    for (std::size_t i = 0; i < values.size(); ++i) {
        larger.push_back(2 * i + (pairs.data[2 * i + 1] > pairs.data[2 * i] ? 1 : 0));
        values.data()[i] = pairs.data[larger.back()];
    }
    return made(std::move(values), {input}, [input, larger = std::move(larger)](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            const std::span<const float> gradient = pass.gradient(number).values();
            for (std::size_t i = 0; i < larger.size(); ++i)
                pass.into(input, number).data[larger[i]] += gradient[i];
        }
    });
}

Variable Tape::rows(std::vector<int> indexes, Variable input)
{
    const NumberView all = matrix(input);
    Tensor values({std::ssize(indexes), all.columns});
    for (Index row = 0; row < indexSize(indexes); ++row) {
        if (indexes[row] >= 0)
            std::ranges::copy(all.row(indexes[row]), values.matrix().row(row).begin());
    }
    return made(std::move(values), {input}, [input, indexes = std::move(indexes)](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            const NumberView gradient = pass.gradient(number);
            for (Index row = 0; row < gradient.rows; ++row) {
                if (indexes[row] >= 0)
                    addRows(gradient.rowRange(row, 1), 1, pass.into(input, number).rowRange(indexes[row], 1));
            }
        }
    });
}

Variable Tape::rowsAdded(Variable sums, std::vector<int> indexes, Variable factors, Variable rows)
{
    Tensor values = value(sums);
    for (Index row = 0; row < indexSize(indexes); ++row)
        addRows(matrix(rows).rowRange(row, 1), matrix(factors).at(row, 0), values.matrix().rowRange(indexes[row], 1));
    const auto back = [this, sums, rows, factors, indexes = std::move(indexes)](BackwardPass& pass) {
        if (pass.reaches(sums))
            addRows(pass.gradient(), 1, pass.into(sums));
        for (int number = 0; number < pass.passes(); ++number) {
            for (Index row = 0; row < indexSize(indexes); ++row) {
                const NumberView gradient = pass.gradient(number).rowRange(indexes[row], 1);
                if (pass.reaches(rows))
                    addRows(gradient, matrix(factors).at(row, 0), pass.into(rows, number).rowRange(row, 1));
                if (pass.reaches(factors) && pass.rule() != BackwardRule::Relevance)
                    pass.into(factors, number).at(row, 0) +=
                        mapOf(gradient).row(0).dot(mapOf(matrix(rows).rowRange(row, 1)).row(0));
            }
        }
    };
    return made(std::move(values), {sums, rows, factors}, back);
}

Variable Tape::columns(int first, int count, Variable input)
{
    const NumberView all = matrix(input);
    Tensor values({all.rows, count});
    for (Index row = 0; row < all.rows; ++row)
        std::ranges::copy(all.row(row).subspan(first, count), values.matrix().row(row).begin());
    return made(std::move(values), {input}, [first, input](BackwardPass& pass) {
        mapOf(pass.into(input)).middleCols(first, pass.gradient().columns) += mapOf(pass.gradient());
    });
}

Variable Tape::besides(const std::vector<Variable>& parts)
{
    Index width = 0;
    for (const Variable part : parts)
        width += matrix(part).columns;
    Tensor values({matrix(parts.front()).rows, width});
    Index first = 0;
    for (const Variable part : parts) {
        mapOf(values.matrix()).middleCols(first, matrix(part).columns) = mapOf(matrix(part));
        first += matrix(part).columns;
    }
    return made(std::move(values), parts, [this, parts](BackwardPass& pass) {
        Index begin = 0;
        for (const Variable part : parts) {
            const Index count = matrix(part).columns;
            if (pass.reaches(part))
                mapOf(pass.into(part)) += mapOf(pass.gradient()).middleCols(begin, count);
            begin += count;
        }
    });
}

Variable Tape::below(const std::vector<Variable>& parts)
{
    Index height = 0;
    for (const Variable part : parts)
        height += matrix(part).rows;
    Tensor values({height, matrix(parts.front()).columns});
    Index first = 0;
    for (const Variable part : parts) {
        copyRows(matrix(part), values.matrix().rowRange(first, matrix(part).rows));
        first += matrix(part).rows;
    }
    return made(std::move(values), parts, [this, parts](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            Index begin = 0;
            for (const Variable part : parts) {
                const Index count = matrix(part).rows;
                if (pass.reaches(part))
                    addRows(pass.gradient(number).rowRange(begin, count), 1, pass.into(part, number));
                begin += count;
            }
        }
    });
}

Variable Tape::meanOfRows(Variable input)
{
    return made(attn::meanOfRows(matrix(input)), {input}, [input](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            const MutableView sums = pass.into(input, number);
            for (Index row = 0; row < sums.rows; ++row)
                addRows(pass.gradient(number), 1.0F / static_cast<float>(sums.rows), sums.rowRange(row, 1));
        }
    });
}

Variable Tape::reshaped(int rows, int columns, Variable input)
{
    return made(Tensor({rows, columns}, copyOf(matrix(input))), {input}, [input](BackwardPass& pass) {
        const std::span<const float> gradient = pass.gradient().values();
        const std::span<float> sums = pass.into(input).values();
        std::ranges::transform(sums, gradient, sums.begin(), std::plus<>());
    });
}

Variable Tape::branch(Variable input)
{
    const Variable self =
        made(value(input), {input}, [input](BackwardPass& pass) { addRows(pass.gradient(), 1, pass.into(input)); });
    m_nodes.back().isBranch = true;
    return self;
}

Variable Tape::queryKeyScores(const HeadShape& shape, float scale, Variable queries, Variable keys)
{
    const NumberView rows = matrix(queries);
    Tensor scores = Tensor::unset({std::int64_t{shape.heads} * rows.rows, matrix(keys).rows});
    queryKeyProduct(m_engine, shape.queries(rows), shape.keys(matrix(keys)), scale,
                    headsOf(scores.matrix(), shape.heads));
    return made(std::move(scores), {queries, keys}, [this, shape, scale, queries, keys](BackwardPass& pass) {
        const float factor = scale * pass.partOfProduct(queries, keys);
        for (int number = 0; number < pass.passes(); ++number) {
            const NumberView gradient = headsOf(pass.gradient(number), shape.heads);
            for (int head = 0; head < shape.heads; ++head) {
                const int shared = head / shape.sharing;
                if (pass.reaches(queries))
                    mapOf(shape.queries(pass.into(queries, number)).head(head)).noalias() +=
                        factor * mapOf(gradient.head(head)) * mapOf(shape.keys(matrix(keys)).head(shared));
                if (pass.reaches(keys))
                    mapOf(shape.keys(pass.into(keys, number)).head(shared)).noalias() += factor
                        * mapOf(gradient.head(head)).transpose() * mapOf(shape.queries(matrix(queries)).head(head));
            }
        }
    });
}

Variable Tape::weightedSums(const HeadShape& shape, Variable weights, Variable values)
{
    const NumberView maps = headsOf(matrix(weights), shape.heads);
    const NumberView rows = matrix(values);
    Tensor sums = Tensor::unset({maps.rows, std::int64_t{rows.columns} * shape.sharing});
    weightedSum(m_engine, maps, shape.keys(rows), shape.queries(sums.matrix()));
    return made(std::move(sums), {weights, values}, [this, shape, weights, values](BackwardPass& pass) {
        const float factor = pass.partOfProduct(weights, values);
        for (int number = 0; number < pass.passes(); ++number) {
            const NumberView gradient = shape.queries(pass.gradient(number));
            for (int head = 0; head < shape.heads; ++head) {
                const int shared = head / shape.sharing;
                if (pass.reaches(weights))
                    mapOf(headsOf(pass.into(weights, number), shape.heads).head(head)).noalias() += factor
                        * mapOf(gradient.head(head)) * mapOf(shape.keys(matrix(values)).head(shared)).transpose();
                if (pass.reaches(values))
                    mapOf(shape.keys(pass.into(values, number)).head(shared)).noalias() += factor
                        * mapOf(headsOf(matrix(weights), shape.heads).head(head)).transpose()
                        * mapOf(gradient.head(head));
            }
        }
    });
}

Variable Tape::softmaxOf(Tensor weights, Variable scores)
{
    const Variable self{size()};
    return made(std::move(weights), {scores}, [this, scores, self](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            const MutableView sums = pass.into(scores, number);
            for (Index row = 0; row < sums.rows; ++row) {
                const auto own = matrix(self).row(row);
                const auto gradient = pass.gradient(number).row(row);
                const double mean = std::inner_product(own.begin(), own.end(), gradient.begin(), 0.0);
                for (Index column = 0; column < sums.columns; ++column)
                    sums.at(row, column) += own[column] * static_cast<float>(gradient[column] - mean);
            }
        }
    });
}

std::vector<Tensor> Tape::backward(Variable of, Tensor seeds, std::span<const Variable> wanted, BackwardRule rule) const
{
    const Index rows = matrix(of).rows;
    BackwardPass pass(*this, rule, static_cast<int>(seeds.dim(0) / std::max<Index>(1, rows)), wanted);
    pass.m_gradients[of.index] = std::move(seeds);
    const auto leadsOn = [&](const Node& node) {
        return node.back && std::ranges::any_of(node.of, [&](Variable one) { return pass.reaches(one); });
    };
    for (int index = of.index; index >= 0; --index) {
        if (pass.m_gradients[index].empty())
            continue;
        throwIfStopped(m_stop);
        pass.m_at = index;
        if (leadsOn(m_nodes[index]))
            m_nodes[index].back(pass);
        if (std::ranges::find(wanted, Variable{index}) == wanted.end())
            pass.m_gradients[index] = {};
    }
    std::vector<Tensor> found;
    for (const Variable variable : wanted) {
        Tensor& gradient = pass.m_gradients[variable.index];
        found.push_back(gradient.empty()
                            ? Tensor({std::int64_t{pass.passes()} * matrix(variable).rows, matrix(variable).columns})
                            : gradient);
    }
    return found;
}

BackwardPass::BackwardPass(const Tape& tape, BackwardRule rule, int passes, std::span<const Variable> wanted)
    : m_tape(tape)
    , m_rule(rule)
    , m_passes(passes)
    , m_reached(tape.size())
    , m_gradients(tape.size())
{
    for (const Variable variable : wanted)
        m_reached[variable.index] = true;
    for (int index = 0; index < tape.size(); ++index) {
        const Tape::Node& node = tape.m_nodes[index];
        const bool ends = node.isBranch && rule == BackwardRule::Residual;
        if (node.reached && !ends && !m_reached[index])
            m_reached[index] = std::ranges::any_of(node.of, [this](Variable one) { return m_reached[one.index]; });
    }
}

float BackwardPass::partOfProduct(Variable left, Variable right) const
{
    const bool both = m_tape.m_nodes.at(left.index).varies && m_tape.m_nodes.at(right.index).varies;
    return both && m_rule == BackwardRule::Relevance ? 0.5F : 1.0F;
}

NumberView BackwardPass::gradient() const
{
    return m_gradients[m_at].matrix();
}

NumberView BackwardPass::gradient(int pass) const
{
    const Index rows = gradient().rows / m_passes;
    return gradient().rowRange(pass * rows, rows);
}

MutableView BackwardPass::into(Variable variable)
{
    Tensor& gradient = m_gradients.at(variable.index);
    if (gradient.empty()) {
        const NumberView value = m_tape.matrix(variable);
        gradient = Tensor({std::int64_t{m_passes} * value.rows, value.columns});
    }
    return gradient.matrix();
}

MutableView BackwardPass::into(Variable variable, int pass)
{
    const Index rows = m_tape.matrix(variable).rows;
    return into(variable).rowRange(pass * rows, rows);
}

} // namespace attn
